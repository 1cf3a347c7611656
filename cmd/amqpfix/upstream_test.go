package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// upstreamVersion is the newest amqp091-go that the go command is shown.
const upstreamVersion = "v1.16.0"

// TestUpstream takes copies of modules from streadway/amqp to amqp091-go, which may
// change import paths, go.mod and go.sum and nothing else: the modules build, pass
// their tests and publish what they did.
func TestUpstream(t *testing.T) {
	if testing.Short() {
		t.Skip("builds modules")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		module string
		tags   string // of a file that moves and is not part of the build otherwise
		mod    string // go.mod afterwards; empty where it need not change
	}{
		{"saga", "", "module example.com/saga\n\ngo 1.18\n\nrequire github.com/rabbitmq/amqp091-go " + upstreamVersion + "\n"},
		{"metrics", "integration", ""},
	}
	for _, tt := range tests {
		t.Run(tt.module, func(t *testing.T) {
			t.Parallel()
			m := oldModules[slices.IndexFunc(oldModules, func(m oldModule) bool { return m.name == tt.module })]
			source := filepath.Join(root, "testdata", m.name)
			sites := readOldSites(t, filepath.Join(source, "SITES.tsv"))
			before := &state{oldModule: m, name: "before", dir: source, bin: t.TempDir()}
			after := &state{oldModule: m, name: "after", dir: copyModule(t, source), bin: t.TempDir()}
			after.env = []string{"GOPROXY=" + upstreamProxy(t, before), "GOSUMDB=off"}
			if tt.mod == "" {
				replaceAmqpfix(t, after.dir, root)
			}

			report := after.amqpfix(t, "-fix", "-update-mod", "-to=amqp091-go")
			if !report.Written || len(report.Sites) > 0 {
				t.Errorf("written %t, with %d sites, want no publish looked at", report.Written, len(report.Sites))
			}
			checkOnlyImports(t, source, after.dir)
			mod, err := os.ReadFile(filepath.Join(after.dir, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			if tt.mod != "" && string(mod) != tt.mod {
				t.Errorf("go.mod is\n%s\nwant\n%s", mod, tt.mod)
			}
			after.check(t)
			if tt.tags != "" {
				after.goRun(t, "vet", "-tags="+tt.tags, "./...")
			}
			if files := after.amqpfix(t, "-fix", "-to=amqp091-go").Files; len(files) > 0 {
				t.Errorf("a second run changes %d files, the first of them %s", len(files), files[0].File)
			}

			before.build(t, sites)
			after.build(t, sites)
			programs := programsOf(t, m.name, sites)
			want, err := before.record(programs)
			if err != nil {
				t.Fatal(err)
			}
			got, err := after.record(programs)
			if err != nil {
				t.Fatal(err)
			}
			for _, flaw := range append(recordingFlaws(sites, want), recordingFlaws(sites, got)...) {
				t.Error(flaw)
			}
			for _, d := range amqptest.Diff(want, got) {
				t.Errorf("site %s: %v", siteOfDifference(d), d)
			}
		})
	}
}

// upstreamProxy returns a GOPROXY that knows one version of amqp091-go, so that the
// latest one is the same everywhere and for ever, and has the rest from elsewhere.
func upstreamProxy(t *testing.T, s *state) string {
	t.Helper()
	const module = "github.com/rabbitmq/amqp091-go"
	cmd := s.command("go", "mod", "download", module+"@"+upstreamVersion)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	out, err := s.command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache, proxy, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	dir := t.TempDir()
	versions := filepath.Join(dir, module, "@v")
	if err := os.MkdirAll(versions, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(versions, "list"), []byte(upstreamVersion+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".info", ".mod", ".zip"} {
		data, err := os.ReadFile(filepath.Join(cache, "cache/download", module, "@v", upstreamVersion+ext))
		if err == nil {
			err = os.WriteFile(filepath.Join(versions, upstreamVersion+ext), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return "file://" + filepath.ToSlash(dir) + "," + proxy
}

// checkOnlyImports compares a module with the one that it was: only import specs may
// have changed, and moved among themselves, and go.mod and go.sum.
func checkOnlyImports(t *testing.T, before, after string) {
	t.Helper()
	files, moved := make(map[string]bool), 0
	read := func(dir, name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, dir := range []string{before, after} {
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if base := filepath.Base(name); err != nil || d.IsDir() || base == "go.mod" || base == "go.sum" {
				return err
			}
			files[name] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range files {
		want, got := read(before, name), read(after, name)
		if filepath.Ext(name) == ".go" {
			want, moved = upstreamImports(want), moved+strings.Count(got, upstreamPath)
			if strings.Contains(got, streadwayPath) {
				t.Errorf("%s still imports %s", name, streadwayPath)
			}
			want, got = sortedLines(want), sortedLines(got)
		}
		if got != want {
			t.Errorf("%s differs in more than the import", name)
		}
	}
	if moved == 0 {
		t.Error("no import moved")
	}
}

const (
	streadwayPath = `"github.com/streadway/amqp"`
	upstreamPath  = `"github.com/rabbitmq/amqp091-go"`
)

// upstreamImports writes each import of streadway/amqp as it has to become: under
// the name it has, which is amqp where none is given.
func upstreamImports(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if name, ok := strings.CutSuffix(line, streadwayPath); ok {
			if fields := strings.Fields(name); len(fields) == 0 || fields[len(fields)-1] == "import" {
				name += "amqp "
			}
			lines[i] = name + upstreamPath
		}
	}
	return strings.Join(lines, "\n")
}

func sortedLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
