//go:build !linux

package main

import (
	"errors"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	ts.Fatalf("there is no terminal; scripts have this behind [terminal]")
}

func openTerminal() (ours, theirs *os.File, err error) { return nil, nil, errors.ErrUnsupported }
