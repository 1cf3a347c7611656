package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An oldModule is a module of testdata that is written for amqp091-go or
// streadway/amqp.
type oldModule struct {
	name      string
	patterns  []string // what amqpfix is run on
	packages  []string // what builds together and has tests
	workspace bool     // a go.work ties it together
	altered   alteration
}

var oldModules = []oldModule{
	{
		name: "notifier", patterns: []string{"./..."}, packages: []string{"./..."},
		altered: alteration{"an octet of a body", "push.alert", `"Rain"`, `"Raim"`},
	},
	{
		name: "jobqueue", patterns: []string{"./..."}, packages: []string{"./..."},
		altered: alteration{"the type of a header", "broker.pushto", `"worker": "w1"`, `"worker": []byte("w1")`},
	},
	{
		name: "saga", patterns: []string{"./..."}, packages: []string{"./..."},
		altered: alteration{"an octet of a property", "outbox.alarm", `Expiration: "60000"`, `Expiration: "60001"`},
	},
	{
		name: "rpcgateway", patterns: []string{"./..."}, packages: []string{"./..."},
		altered: alteration{"the order of two messages", "pipeline.signal",
			"pipeline.Signal(ch, queue, \"open\"),\n\t\tpipeline.Signal(ch, queue, \"close\"),",
			"pipeline.Signal(ch, queue, \"close\"),\n\t\tpipeline.Signal(ch, queue, \"open\"),"},
	},
	{
		name: "metrics", patterns: []string{"./..."}, packages: []string{"./..."},
		altered: alteration{"a flag", "statsd.timing", `c.Timing("query", 12, false)`, `c.Timing("query", 12, true)`},
	},
	{
		name: "chat", patterns: []string{"./...", "./transport/...", "./tutorial/..."}, packages: []string{"./...", "./transport/..."}, workspace: true,
		altered: alteration{"a timestamp", "presence.away", "time.Unix(1600000060, 0)", "time.Unix(1600000061, 0)"},
	},
}

// TestOldModules migrates copies of the modules, in two steps. What becomes of each
// publish and import must be what SITES.tsv says, decided by hand. After either
// step the modules must build, pass their tests and publish what they did before;
// after both, they must be as their golden files where they have some, and have
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
			t.Parallel()
			source := filepath.Join(root, "testdata", m.name)
			before := &state{oldModule: m, name: "before", dir: source, bin: t.TempDir()}
			after := &state{oldModule: m, name: "after the shim step", dir: copyModule(t, source), bin: t.TempDir()}
			replaceAmqpfix(t, after.dir, root)
			sites := readOldSites(t, filepath.Join(source, "SITES.tsv"))

			checkOldSites(t, sites, after.amqpfix(t))
			before.build(t, sites)
			if report := after.amqpfix(t, "-fix", "-update-mod", "-steps=shim"); len(report.Files) == 0 || !report.Written {
				t.Error("the shim step changes no file")
			}
			after.check(t)
			after.build(t, sites)
			shimmed := *after
			after.name, after.bin = "after both steps", t.TempDir()
			if report := after.amqpfix(t, "-fix", "-update-mod"); len(report.Files) == 0 || !report.Written {
				t.Error("the publish step changes no file")
			}
			after.check(t)
			after.build(t, sites)
			checkGoldenFiles(t, source, after.dir)
			for _, f := range after.amqpfix(t, "-fix", "-update-mod").Files {
				t.Errorf("a second run changes %s:\n%s", f.File, f.Diff)
			}
			altered := after.alter(t, sites)

			checkWire(t, sites, m.altered, before, &shimmed, after, altered)
		})
	}
}

// state is an old module at one point of its migration.
type state struct {
	oldModule
	name string // for a person
	dir  string // of the module
	bin  string // of the programs that were built of it
	env  []string
}

// command returns a command in the module, with its dependencies and no others.
func (s *state) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AMQP_URL=") })
	cmd.Env = append(cmd.Env, "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if s.workspace {
		cmd.Env = append(cmd.Env, "GOWORK=")
	}
	cmd.Env = append(cmd.Env, s.env...)
	return cmd
}

// goRun runs the go command, which must succeed.
func (s *state) goRun(t *testing.T, args ...string) {
	t.Helper()
	cmd := s.command("go", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s: %v\n%s", s.name, cmd, err, out)
	}
}

// amqpfix runs the command on the module.
func (s *state) amqpfix(t *testing.T, flags ...string) (report jsonReport) {
	t.Helper()
	cmd := s.command("amqpfix", slices.Concat([]string{"-json"}, flags, s.patterns)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // the exit code says whether there are findings
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%s: %s: %v\n%s", s.name, cmd, err, &stderr)
	}
	for _, p := range report.Problems {
		t.Errorf("%s: %s: %s: %s", s.name, cmd, p.Package, p.Message)
	}
	return report
}

// check builds, vets and tests the module.
func (s *state) check(t *testing.T) {
	t.Helper()
	s.goRun(t, append([]string{"build"}, s.packages...)...)
	s.goRun(t, append([]string{"vet"}, s.packages...)...)
	s.goRun(t, append([]string{"test", "-vet=off"}, s.packages...)...)
}

// copyModule copies a module, and the modules in it.
func copyModule(t *testing.T, source string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(source))
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// replaceAmqpfix has a module, and the modules in it, find amqpfix in root.
func replaceAmqpfix(t *testing.T, dir, root string) {
	t.Helper()
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
}

// checkOldSites compares a report with the forms and moves of SITES.tsv.
func checkOldSites(t *testing.T, sites []oldSite, report jsonReport) {
	t.Helper()
	got := make(map[string]string)
	for _, s := range report.Sites {
		got[fmt.Sprintf("%s:%d", filepath.ToSlash(s.File), s.Line)] = strings.TrimSpace(string(s.Tier) + " " + s.Category)
	}
	moved := make(map[string]bool)
	for _, i := range report.Imports {
		moved[filepath.ToSlash(i.File)] = i.Moved
	}
	channels, rewritten := 0, 0
	for _, s := range sites {
		if s.form != "none" && s.category != "user-interface" {
			channels++
			if s.form != "left" {
				rewritten++
			}
		}
		if want := s.outcome(); got[s.where()] != want {
			t.Errorf("%s: the call is %q, want %q", s.where(), got[s.where()], want)
		}
		delete(got, s.where())
		if s.form != "none" && moved[s.file] != s.moves {
			t.Errorf("%s: the import moves: %t, want %t", s.where(), moved[s.file], s.moves)
		}
	}
	for place, tier := range got {
		t.Errorf("%s: %s, and not in SITES.tsv", place, tier)
	}
	t.Logf("%d of %d calls on a channel are rewritten", rewritten, channels)
}

// checkGoldenFiles compares the Go files of a migrated module with those that were
// written by hand, if some were: a file that is not among them must be as it was.
func checkGoldenFiles(t *testing.T, source, dir string) {
	t.Helper()
	golden := source + ".golden"
	if _, err := os.Stat(golden); err != nil {
		return
	}
	compared := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(filepath.Join(golden, rel))
		if os.IsNotExist(err) {
			want, err = os.ReadFile(filepath.Join(source, rel))
		} else {
			compared++
		}
		if err != nil {
			return err
		}
		got, err := os.ReadFile(name)
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%s is not as written by hand", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(golden, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		}
		return err
	})
	if err != nil || compared == 0 || compared != files {
		t.Errorf("%d of the %d files in %s compared: %v", compared, files, golden, err)
	}
}
