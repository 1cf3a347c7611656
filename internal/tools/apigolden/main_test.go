package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// module lays files out as a module of its own and makes it the working
// directory.
func module(t *testing.T, files []txtar.File) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Chdir(dir)
}

// apigolden runs the command.
func apigolden(args ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = run(args, &out, &errs)
	return status, out.String(), errs.String()
}

// folder returns the contents of dir's files by name.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func TestRecordsEveryShape(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/shapes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	module(t, archive.Files)
	status, stdout, stderr := apigolden()
	if status != 0 || stdout+stderr != "" {
		t.Fatalf("status %d, output %q, errors %q; want a silent 0", status, stdout, stderr)
	}
	got, want := folder(t, "api"), folder(t, "want")
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, slices.Sorted(maps.Keys(want))) {
		t.Errorf("wrote files %q", names)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got[name], want[name])
		}
	}
	if status, stdout, stderr := apigolden("-check"); status != 0 || stdout+stderr != "" {
		t.Errorf("-check of what was just written: status %d, output %q, errors %q", status, stdout, stderr)
	}
}

// small is a module with one function.
var small = []txtar.File{
	{Name: "go.mod", Data: []byte("module example.com/small\n\ngo 1.21\n")},
	{Name: "small.go", Data: []byte("// Package small is small.\npackage small\n\n// F is new.\nfunc F(n int) {}\n")},
}

func TestCheckPrintsDifferencesAndWritesNothing(t *testing.T) {
	const header = "# The exported API of example.com/small. make api writes this file.\n"
	for _, test := range []struct {
		name string
		api  map[string]string
		want []string
	}{
		{"changed", map[string]string{"small.txt": header + "func F()\n"}, []string{"--- api/small.txt", "\n-func F()\n+func F(n int)\n"}},
		{"missing", nil, []string{"+++ the source", "\n+func F(n int)\n"}},
		{"stale", map[string]string{"small.txt": header + "func F(n int)\n", "gone.txt": "func G()\n"}, []string{"--- api/gone.txt", "\n-func G()\n"}},
		{"not ours", map[string]string{"small.txt": header + "func F(n int)\n", "README.md": "hands off"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := slices.Clone(small)
			for name, content := range test.api {
				files = append(files, txtar.File{Name: "api/" + name, Data: []byte(content)})
			}
			files = append(files, txtar.File{Name: "api/sub/x", Data: nil})
			module(t, files)
			status, stdout, stderr := apigolden("-check")
			for _, want := range test.want {
				if !strings.Contains(stdout, want) {
					t.Errorf("printed %q, want %q in it", stdout, want)
				}
			}
			differs := len(test.want) > 0
			if differs != (status == 1) || differs != strings.Contains(stderr, "make api") || differs != (stdout != "") {
				t.Errorf("status %d, output %q, errors %q", status, stdout, stderr)
			}
			if err := os.RemoveAll("api/sub"); err != nil {
				t.Fatal(err)
			}
			if got := folder(t, "api"); !maps.Equal(got, test.api) && len(got)+len(test.api) > 0 {
				t.Errorf("-check left %q", got)
			}
			if status, _, stderr := apigolden(); status != 0 {
				t.Fatalf("writing: status %d, %s", status, stderr)
			}
			if status, stdout, _ := apigolden("-check"); status != 0 {
				t.Errorf("still different after writing:\n%s", stdout)
			}
		})
	}
}

func TestNamesWhatIsUndocumented(t *testing.T) {
	source := `package small

// Documented is.
type Documented struct {
	Field int
}

// Interface is, and embeds.
type Interface interface {
	Bare

	First()

	// Second is documented, and so is Third below it.
	Second()
	Third()

	Fourth() // beside
	Fifth()

	hidden()
}

type Bare interface {
	Method()
}

func (Documented) Bare() {}

func (*generic[T]) Hidden() {}

type generic[T any] struct{ Field T }

// The group has a comment.
const (
	A = iota

	B
)

const C = 1

var (
	// D and E are a paragraph.
	D int
	E int

	F int
)

// Grouped types need their own.
type (
	G int
	H int // beside
)

//go:noinline
func I() {}
`
	module(t, []txtar.File{small[0], {Name: "small.go", Data: []byte(source)}})
	status, _, stderr := apigolden()
	if status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	var got []string
	for line := range strings.Lines(stderr) {
		_, rest, _ := strings.Cut(line, "small.go:")
		pos, what, _ := strings.Cut(rest, ": ")
		row, _, _ := strings.Cut(pos, ":")
		what, _ = strings.CutSuffix(what, " has no doc comment\n")
		got = append(got, row+" "+what)
	}
	want := []string{
		"1 package small", "12 Interface.First", "19 Interface.Fifth", "24 Bare", "25 Bare.Method",
		"28 Documented.Bare", "41 C", "48 F", "53 G", "58 I",
	}
	if !slices.Equal(got, want) {
		t.Errorf("undocumented:\n%q\nwant:\n%q", got, want)
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct {
		name   string
		source string
		args   []string
		status int
		want   string
	}{
		{"type error", "package small\n\nvar X undefinedType\n", nil, 1, "undefinedType"},
		{"no such package", "package small\n", []string{"./nothere"}, 1, "nothere"},
		{"nothing but a command", "package main\n\nfunc main() {}\n", nil, 1, "no package with an API matches ./..."},
		{"unknown flag", "package small\n", []string{"-update"}, 2, "-update"},
	} {
		t.Run(test.name, func(t *testing.T) {
			module(t, []txtar.File{small[0], {Name: "small.go", Data: []byte(test.source)}})
			status, _, stderr := apigolden(test.args...)
			if status != test.status || !strings.Contains(stderr, test.want) {
				t.Errorf("status %d, errors %q; want %d and %q", status, stderr, test.status, test.want)
			}
			if _, err := os.Stat("api"); err == nil {
				t.Error("wrote files all the same")
			}
		})
	}
}
