package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
)

// support is a test file: what amqp091-go's test takes from files that are left
// behind.
//
//go:embed testdata/support_test.go
var support []byte

// writeOverlay writes, to temp, a go build overlay that replaces the tests of the
// package in dir by source, edited, and support. It returns the overlay's name.
func writeOverlay(temp, dir string, source []byte) (string, error) {
	edited, err := applyEdits(source, edits)
	if err != nil {
		return "", err
	}
	own, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	replace := make(map[string]string)
	for _, name := range own {
		replace[name] = "" // as if deleted
	}
	for name, content := range map[string][]byte{testFile: edited, "support_test.go": support} {
		file := filepath.Join(temp, name)
		if err := os.WriteFile(file, content, 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(dir, name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(temp, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o666)
}
