package driver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPlantedJournal has journals that no run wrote, as a tree from elsewhere
// may bring them. Nothing is touched.
func TestPlantedJournal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links and modes")
	}
	const before, planted = "package b\n", "planted\n"
	for _, tt := range []struct {
		name  string
		plant func(t *testing.T, dir, outside string, e *journalEntry)
		mode  os.FileMode
		want  string
	}{
		{"absolute name", func(t *testing.T, dir, outside string, e *journalEntry) { e.Name = outside }, 0o600, "is not below"},
		{"name above", func(t *testing.T, dir, outside string, e *journalEntry) {
			e.Name = relativeTo(t, dir, outside)
		}, 0o600, "is not below"},
		{"temporary above", func(t *testing.T, dir, outside string, e *journalEntry) {
			e.Temporary = relativeTo(t, dir, filepath.Join(filepath.Dir(outside), ".amqpfix-x"))
		}, 0o600, "is not below"},
		{"through a linked directory", func(t *testing.T, dir, outside string, e *journalEntry) {
			link(t, filepath.Dir(outside), filepath.Join(dir, "link"))
			e.Name, e.Temporary = "link/"+filepath.Base(outside), "link/.amqpfix-x"
		}, 0o600, "goes through a link"},
		{"a linked file", func(t *testing.T, dir, outside string, e *journalEntry) {
			link(t, outside, filepath.Join(dir, "b/link.go"))
			e.Name = "b/link.go"
		}, 0o600, "is not a regular file"},
		{"a linked temporary", func(t *testing.T, dir, outside string, e *journalEntry) {
			link(t, outside, filepath.Join(dir, "b/.amqpfix-x"))
		}, 0o600, "is not a regular file"},
		{"temporary elsewhere", func(t *testing.T, dir, outside string, e *journalEntry) { e.Temporary = ".amqpfix-x" }, 0o600, "is not a temporary name"},
		{"temporary is a source", func(t *testing.T, dir, outside string, e *journalEntry) { e.Temporary = "b/x.go" }, 0o600, "is not a temporary name"},
		{"a file of git", func(t *testing.T, dir, outside string, e *journalEntry) {
			e.Name, e.Temporary = ".git/config", ".git/.amqpfix-x"
			if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
				t.Fatal(err)
			}
		}, 0o600, "belongs to git"},
		{"another text", func(t *testing.T, dir, outside string, e *journalEntry) { e.New = []byte("other") }, 0o600, "is not that of its digest"},
		{"a public journal", func(t *testing.T, dir, outside string, e *journalEntry) {}, 0o644, "with mode 0600"},
		{"a linked journal", func(t *testing.T, dir, outside string, e *journalEntry) {
			link(t, outside, filepath.Join(dir, journalName))
		}, 0, "is not a regular file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, "-- b/b.go --\n"+before)
			outside := filepath.Join(t.TempDir(), "outside.go")
			if err := os.WriteFile(outside, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			e := journalEntry{Name: "b/b.go", Temporary: "b/.amqpfix-x", OldDigest: digest([]byte(before)), NewDigest: digest([]byte(planted)), New: []byte(planted)}
			tt.plant(t, dir, outside, &e)
			if tt.mode != 0 {
				data, err := json.Marshal(journal{Version: journalVersion, Files: []journalEntry{e}})
				if err != nil {
					t.Fatal(err)
				}
				if err := writeSynced(filepath.Join(dir, journalName), data, tt.mode); err != nil {
					t.Fatal(err)
				}
			}
			_, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "remove it") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			for _, name := range []string{outside, filepath.Join(dir, "b/b.go")} {
				if got := readFile(t, name); got != before {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
}

// TestJournalStatesNoMode has one that asks for a file that all may write.
func TestJournalStatesNoMode(t *testing.T) {
	dir := writeTree(t, "-- b/b.go --\npackage b\n")
	if err := os.Chmod(filepath.Join(dir, "b/b.go"), 0o640); err != nil {
		t.Fatal(err)
	}
	j := newJournal(dir, []File{{Path: filepath.Join(dir, "b/b.go"), Old: []byte("package b\n"), New: []byte("package b // new\n")}})
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(readFile(t, dir, journalName), `"Name":`, `"Mode":511,"mode":511,"Name":`, 1)
	if err := os.WriteFile(filepath.Join(dir, journalName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if rep := fix(t, dir); rep.Resumed != 1 {
		t.Errorf("resumed %d", rep.Resumed)
	}
	fi, err := os.Stat(filepath.Join(dir, "b/b.go"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && fi.Mode() != 0o640 {
		t.Errorf("mode %v", fi.Mode())
	}
}

func relativeTo(t *testing.T, dir, name string) string {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

func link(t *testing.T, target, name string) {
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}
