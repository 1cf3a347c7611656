package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oldModules are the modules of testdata that are written for amqp091-go or
// streadway/amqp.
var oldModules = []struct {
	name      string
	patterns  []string
	workspace bool
}{
	{"notifier", []string{"./..."}, false},
	{"jobqueue", []string{"./..."}, false},
	{"saga", []string{"./..."}, false},
	{"rpcgateway", []string{"./..."}, false},
	{"metrics", []string{"./..."}, false},
	{"chat", []string{"./...", "./transport/...", "./tutorial/..."}, true},
}

// TestOldModules migrates copies of the modules, in two steps. What becomes of each
// publish and import must be what SITES.tsv says, decided by hand; the modules must
// build after either step, be as their golden files where they have some, and have
// nothing left to change.
func TestOldModules(t *testing.T) {
	if testing.Short() {
		t.Skip("builds modules")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range oldModules {
		t.Run(m.name, func(t *testing.T) {
			source := filepath.Join(root, "testdata", m.name)
			dir := copyWithReplace(t, source, root)
			run := func(want int, name string, args ...string) []byte {
				t.Helper()
				cmd := exec.Command(name, args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off", "GOWORK=")
				if !m.workspace {
					cmd.Env = append(cmd.Env, "GOWORK=off")
				}
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if got := cmd.ProcessState.ExitCode(); got != want && want >= 0 {
					t.Fatalf("%s: exit code %d, want %d: %v\n%s%s", cmd, got, want, err, out, &stderr)
				}
				return out
			}
			amqpfix := func(flags ...string) (report jsonReport) {
				t.Helper()
				out := run(-1, "amqpfix", append(append([]string{"-json"}, flags...), m.patterns...)...)
				if err := json.Unmarshal(out, &report); err != nil {
					t.Fatal(err)
				}
				return report
			}
			build := func() {
				t.Helper()
				run(0, "go", "build", "./...")
				run(0, "go", "vet", "./...")
			}

			checkOldSites(t, filepath.Join(source, "SITES.tsv"), amqpfix())
			if report := amqpfix("-fix", "-update-mod", "-steps=shim"); len(report.Files) == 0 || !report.Written {
				t.Error("the shim step changes no file")
			}
			build()
			if report := amqpfix("-fix", "-update-mod"); len(report.Files) == 0 || !report.Written {
				t.Error("the publish step changes no file")
			}
			build()
			checkGoldenFiles(t, source+".golden", dir)
			for _, f := range amqpfix("-fix", "-update-mod").Files {
				t.Errorf("a second run changes %s:\n%s", f.File, f.Diff)
			}
		})
	}
}

// copyWithReplace copies a module, and the modules in it, and has them find amqpfix
// in root.
func copyWithReplace(t *testing.T, source, root string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(source))
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" {
			return err
		}
		cmd := exec.Command("go", "mod", "edit", "-replace=github.com/amqpfix/amqpfix="+root, name)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// checkOldSites compares a report with the forms and moves of SITES.tsv.
func checkOldSites(t *testing.T, name string, report jsonReport) {
	t.Helper()
	got := make(map[string]string)
	for _, s := range report.Sites {
		got[fmt.Sprintf("%s:%d", filepath.ToSlash(s.File), s.Line)] = strings.TrimSpace(string(s.Tier) + " " + s.Category)
	}
	moved := make(map[string]bool)
	for _, i := range report.Imports {
		moved[filepath.ToSlash(i.File)] = i.Moved
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, channels, rewritten := 0, 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) != 7 {
			t.Fatalf("%s: %q", name, lines.Text())
		}
		rows++
		place, form, category, moves := columns[1], columns[2], columns[3], columns[4]
		want := strings.TrimSuffix(form+" "+category, " -")
		if form == "none" {
			want = ""
		} else if category != "user-interface" {
			channels++
			if form != "left" {
				rewritten++
			}
		}
		if got[place] != want {
			t.Errorf("%s: the call is %q, want %q", place, got[place], want)
		}
		delete(got, place)
		file, _, _ := strings.Cut(place, ":")
		if form != "none" && moved[file] != (moves == "yes") {
			t.Errorf("%s: the import moves: %t, want %s", file, moved[file], moves)
		}
	}
	if rows == 0 {
		t.Errorf("%s has no rows", name)
	}
	for place, tier := range got {
		t.Errorf("%s: %s, and not in SITES.tsv", place, tier)
	}
	t.Logf("%d of %d calls on a channel are rewritten", rewritten, channels)
}

// checkGoldenFiles compares the files of a module with those that were written by
// hand, if some were.
func checkGoldenFiles(t *testing.T, golden, dir string) {
	t.Helper()
	if _, err := os.Stat(golden); err != nil {
		return
	}
	err := filepath.WalkDir(golden, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(golden, name)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not as written by hand", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
