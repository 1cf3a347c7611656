package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(withoutRace{m}, map[string]func(){"amqpfix": testMain})
}

// withoutRace runs tests. The command that they start is the test binary, but built
// without the race detector, which makes type-checking many times slower and has
// nothing to find there: the tests of package driver are what it watches.
type withoutRace struct{ m *testing.M }

func (w withoutRace) Run() int {
	flag.Parse()
	if !raceEnabled || testing.Short() {
		return w.m.Run()
	}
	dir, err := os.MkdirTemp("", "amqpfix")
	if err == nil {
		defer os.RemoveAll(dir)
		err = putInPath(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return w.m.Run()
}

// putInPath builds the command in dir and makes it what PATH has.
func putInPath(dir string) error {
	name := "amqpfix"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "test", "-c", "-race=false", "-o", filepath.Join(dir, name), ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	return os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
