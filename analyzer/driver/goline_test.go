package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckGo(t *testing.T) {
	for _, tt := range []struct {
		name           string
		gomod, work    string // go lines
		command, built string
		want           string // in the error; empty for none
	}{
		{"older", "go 1.13", "", "go1.26.8", "go1.26.8", ""},
		{"none", "", "", "go1.26.8", "go1.26.8", ""},
		{"the same", "go 1.26.8", "", "go1.26.8", "go1.26.8", ""},
		{"the next patch", "go 1.26.9", "", "go1.26.8", "go1.26.8", "go.mod says go 1.26.9, and the go command is go1.26.8: install Go 1.26.9, "},
		{"the next release", "go 1.27", "", "go1.26.8", "go1.26.8", "go.mod says go 1.27, and the go command is go1.26.8: install Go 1.27, "},
		{"a candidate of it", "go 1.27rc1", "", "go1.26.8", "go1.26.8", "go.mod says go 1.27rc1, and "},
		{"only the program is old", "go 1.27", "", "go1.27.0", "go1.26.8", "go.mod says go 1.27, and this program was built with go1.26.8, which does not know it: build it again with Go 1.27"},
		{"the program lacks a patch", "go 1.26.9", "", "go1.26.9", "go1.26.8", ""},
		{"versions of no release", "go 1.27", "", "devel", "devel", ""},
		{"a workspace", "go 1.13", "go 1.27", "go1.26.8", "go1.26.8", "go.work says go 1.27, and the go command is go1.26.8: "},
		{"a workspace without", "go 1.13", "use .", "go1.26.8", "go1.26.8", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			e := goEnv{GOMOD: filepath.Join(dir, "go.mod"), GOVERSION: tt.command}
			if err := os.WriteFile(e.GOMOD, []byte("module example.com/m\n\n"+tt.gomod+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if tt.work != "" {
				e.GOWORK = filepath.Join(dir, "go.work")
				if err := os.WriteFile(e.GOWORK, []byte(tt.work+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			err := e.checkGo(tt.built)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
