package driver

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// workTree is a workspace with a module outside its directory.
const workTree = `
-- ws/go.work --
go 1.21

use (
	../outside
	./app
)
-- ws/app/go.mod --
module example.com/m

go 1.21
-- ws/app/old/old.go --
package old

type Channel struct{}

func (*Channel) OldPublish() {}
-- ws/app/a.go --
package m

import _ "example.com/m/old"

//plan a "1" => "2"
const A = 1
-- outside/go.mod --
module example.com/outside

go 1.21
-- outside/b.go --
package outside

import _ "example.com/m/old"

//plan b "1" => "2"
const B = 1
-- unlisted/go.mod --
module example.com/unlisted

go 1.21
-- unlisted/c.go --
package unlisted
`

func workOptions(dir string, mode Mode) Options {
	opts := testOptions(filepath.Join(dir, "ws", "app"), mode)
	opts.Env = append(opts.Env, "GOWORK=")
	opts.Patterns = []string{"./...", "example.com/outside/..."}
	return opts
}

func TestModuleOutsideItsWorkspace(t *testing.T) {
	dir := writeTree(t, workTree)
	rep, err := runWith(t.Context(), workOptions(dir, ModeFix), testTools())
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Files) != 2 || !rep.Written {
		t.Errorf("changed %d files, written: %t", len(rep.Files), rep.Written)
	}
	checkEnds(t, dir, map[string]string{"ws/app/a.go": "A = 2\n", "outside/b.go": "B = 2\n"})
	noStrays(t, dir)
}

func TestInterruptedWriteOutsideItsWorkspace(t *testing.T) {
	for _, tt := range []struct {
		name    string
		commit  []int // in the order of the files: outside/b.go, ws/app/a.go
		resumed int
	}{
		{"no file in place", nil, 2},
		{"the one outside in place", []int{0}, 1},
		{"the one inside in place", []int{1}, 1},
		{"both in place", []int{0, 1}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, workTree)
			dry, err := runWith(t.Context(), workOptions(dir, ModeDiff), testTools())
			if err != nil {
				t.Fatal(err)
			}
			j := newJournal(filepath.Join(dir, "ws"), dry.Files, filepath.Join(dir, "outside"), filepath.Join(dir, "ws", "app"))
			if err := errors.Join(j.vet(), j.save(), j.stage(j.Files[0]), j.stage(j.Files[1])); err != nil {
				t.Fatal(err)
			}
			for _, i := range tt.commit {
				if err := j.commit(j.Files[i]); err != nil {
					t.Fatal(err)
				}
			}
			// Both move, as in another mount, and the journal with them.
			moved := filepath.Join(t.TempDir(), "moved")
			if err := os.Rename(dir, moved); err != nil {
				t.Fatal(err)
			}
			rep, err := runWith(t.Context(), workOptions(moved, ModeFix), testTools())
			if err != nil {
				t.Fatal(err)
			}
			if rep.Resumed != tt.resumed || len(rep.Files) > 0 {
				t.Errorf("resumed %d, want %d; then changed:\n%s", rep.Resumed, tt.resumed, rep.Diff())
			}
			checkEnds(t, moved, map[string]string{"ws/app/a.go": "A = 2\n", "outside/b.go": "B = 2\n"})
			noStrays(t, moved)
		})
	}
}

// TestJournalOfAModule has a run in one module cut off: one in its workspace
// completes it.
func TestJournalOfAModule(t *testing.T) {
	dir := writeTree(t, workTree)
	outside := filepath.Join(dir, "outside")
	text := readFile(t, outside, "b.go")
	j := newJournal(outside, []File{{Path: filepath.Join(outside, "b.go"), Old: []byte(text), New: []byte(text + "// new\n")}})
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
	var pending *PendingError
	if _, err := runWith(t.Context(), workOptions(dir, ModeReport), testTools()); !errors.As(err, &pending) || pending.Journal != filepath.Join(outside, journalName) {
		t.Errorf("error without -fix: %v", err)
	}
	rep, err := runWith(t.Context(), workOptions(dir, ModeFix), testTools())
	if err != nil {
		t.Fatal(err)
	}
	if rep.Resumed != 1 {
		t.Errorf("resumed %d", rep.Resumed)
	}
	checkEnds(t, dir, map[string]string{"outside/b.go": "B = 2\n// new\n"})
}

func TestRunInAModuleExcludesOneInItsWorkspace(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "solaris" || runtime.GOOS == "aix" {
		t.Skip("no locks")
	}
	dir := writeTree(t, workTree)
	unlock, err := lockDir(filepath.Join(dir, "outside"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = runWith(t.Context(), workOptions(dir, ModeFix), testTools())
	if err == nil || !strings.Contains(err.Error(), "another amqpfix -fix runs in ") {
		t.Errorf("error %v", err)
	}
	unlock()
	if _, err := runWith(t.Context(), workOptions(dir, ModeFix), testTools()); err != nil {
		t.Error(err)
	}
}

// TestPlantedWorkspaceJournal has journals of a workspace that no run wrote.
// Nothing is touched.
func TestPlantedWorkspaceJournal(t *testing.T) {
	const planted = "package planted\n"
	for _, tt := range []struct {
		name  string
		plant func(t *testing.T, dir string, j *journal)
		want  string
	}{
		{"a module that is not listed", func(t *testing.T, dir string, j *journal) {
			j.Files[0].Name, j.Files[0].Temporary = "../unlisted/c.go", "../unlisted/.amqpfix-x"
		}, "nor in a module that go.work lists"},
		{"above the module", func(t *testing.T, dir string, j *journal) {
			j.Files[0].Name, j.Files[0].Temporary = "../c.go", "../.amqpfix-x"
		}, "nor in a module that go.work lists"},
		{"around the module", func(t *testing.T, dir string, j *journal) {
			j.Files[0].Name, j.Files[0].Temporary = "../outside/../unlisted/c.go", "../outside/../unlisted/.amqpfix-x"
		}, "nor in a module that go.work lists"},
		{"through a link", func(t *testing.T, dir string, j *journal) {
			link(t, filepath.Join(dir, "unlisted"), filepath.Join(dir, "outside", "link"))
			j.Files[0].Name, j.Files[0].Temporary = "../outside/link/c.go", "../outside/link/.amqpfix-x"
		}, "goes through a link"},
		{"a file that is not Go's", func(t *testing.T, dir string, j *journal) {
			if err := os.WriteFile(filepath.Join(dir, "outside", "run.sh"), nil, 0o777); err != nil {
				t.Fatal(err)
			}
			j.Files[0].Name, j.Files[0].OldDigest = "../outside/run.sh", digest(nil)
		}, "is not of Go"},
		{"a file to create that is no go.sum", func(t *testing.T, dir string, j *journal) {
			j.Files[0].Name, j.Files[0].OldDigest = "../outside/new.go", ""
		}, "no such file"},
		{"vendor of another directory", func(t *testing.T, dir string, j *journal) {
			j.Vendor = []string{"../unlisted"}
		}, "is not the directory of a module"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("needs links and modes")
			}
			t.Parallel()
			dir := writeTree(t, workTree)
			before := readFile(t, dir, "outside/b.go")
			j := &journal{Version: journalVersion, Files: []journalEntry{{
				Name: "../outside/b.go", Temporary: "../outside/.amqpfix-x",
				OldDigest: digest([]byte(before)), NewDigest: digest([]byte(planted)), New: []byte(planted),
			}}}
			tt.plant(t, dir, j)
			data, err := json.Marshal(j)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeSynced(filepath.Join(dir, "ws", journalName), data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = runWith(t.Context(), workOptions(dir, ModeFix), testTools())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "remove it") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			checkEnds(t, dir, map[string]string{"outside/b.go": "B = 1\n", "ws/app/a.go": "A = 1\n", "unlisted/c.go": "package unlisted\n"})
		})
	}
}

// TestInterruptedCreation has a run cut off that was to create a go.sum.
func TestInterruptedCreation(t *testing.T) {
	const sum = "example.com/x v1.0.0 h1:x=\n"
	for _, tt := range []struct {
		name    string
		now     string // what is there; empty for nothing
		resumed int
		err     string
	}{
		{"not there", "", 1, ""},
		{"in place", sum, 0, ""},
		{"another", "another\n", 0, "was changed after a run was interrupted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, "")
			name := filepath.Join(dir, "go.sum")
			if err := newJournal(dir, []File{{Path: name, New: []byte(sum)}}).save(); err != nil {
				t.Fatal(err)
			}
			want := sum
			if tt.now != "" {
				want = tt.now
				if err := os.WriteFile(name, []byte(tt.now), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			rep, err := runWith(t.Context(), testOptions(dir, ModeFix), testTools())
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if rep.Resumed != tt.resumed {
				t.Errorf("resumed %d, want %d", rep.Resumed, tt.resumed)
			}
			if got := readFile(t, name); got != want {
				t.Errorf("go.sum is %q", got)
			}
		})
	}
}

// TestInterruptedBeforeVendor has a run cut off between go.mod and vendor, where
// the module does not build: the next run makes vendor.
func TestInterruptedBeforeVendor(t *testing.T) {
	for _, tt := range []struct {
		name string
		work bool
	}{{"a module", false}, {"a workspace", true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, `
-- old/old.go --
package old

import _ "example.com/dep"
-- go.mod --
module example.com/m

go 1.22

replace example.com/dep => ./dep
-- dep/go.mod --
module example.com/dep

go 1.22
-- dep/dep.go --
package dep
`)
			const gomod = "module example.com/m\n\ngo 1.22\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n"
			opts := testOptions(dir, ModeFix)
			j := newJournal(dir, []File{{Path: filepath.Join(dir, "go.mod"), Old: []byte(readFile(t, dir, "go.mod")), New: []byte(gomod)}})
			j.Vendor = []string{"."}
			if tt.work {
				j.Vendor, j.WorkVendor = nil, true
				opts.Env = append(opts.Env, "GOWORK=")
				if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.22\n\nuse .\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(filepath.Join(dir, "vendor"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(j.save(), j.stage(j.Files[0]), j.commit(j.Files[0])); err != nil {
				t.Fatal(err)
			}
			if _, err := runWith(t.Context(), opts, testTools()); err != nil {
				t.Fatal(err)
			}
			if got := readFile(t, dir, "vendor/modules.txt"); !strings.Contains(got, "# example.com/dep v0.0.0 => ./dep\n") {
				t.Errorf("vendor/modules.txt:\n%s", got)
			}
			readFile(t, dir, "vendor/example.com/dep/dep.go")
			noStrays(t, dir)
		})
	}
}

func checkEnds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	for name, end := range want {
		if got := readFile(t, dir, name); !strings.HasSuffix(got, end) {
			t.Errorf("%s does not end in %q:\n%s", name, end, got)
		}
	}
}
