package driver

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

func TestVersionsToTry(t *testing.T) {
	const path = "example.com/Need"
	for _, tt := range []struct {
		name   string
		gomod  string
		work   string
		cached []string
		want   []string
	}{
		{"nothing known", "", "", nil, []string{"latest"}},
		{"a replacement", "replace example.com/Need => ../need", "v1.0.0", []string{"v1.1.0"}, []string{"v0.0.0"}},
		{"one of a version", "replace example.com/Need v1.2.3 => ../need", "", nil, []string{"v1.2.3"}},
		{"one of another module", "replace example.com/other => ../other", "", nil, []string{"latest"}},
		{"required", "require example.com/Need v1.1.0", "", []string{"v1.2.0"}, []string{"v1.1.0", "latest", "v1.2.0"}},
		{"in the workspace", "", "v1.0.0", nil, []string{"v1.0.0", "latest"}},
		{"the same twice", "require example.com/Need v1.1.0", "v1.1.0", []string{"v1.1.0"}, []string{"v1.1.0", "latest"}},
		{"the newest in the cache", "", "", []string{"v1.9.0", "v1.10.0", "v1.2.0"}, []string{"latest", "v1.10.0"}},
		{"a release before a candidate", "", "", []string{"v1.9.0", "v1.10.0-rc.1"}, []string{"latest", "v1.9.0"}},
		{"the newest of candidates", "", "", []string{"v1.10.0-rc.1", "v1.10.0-rc.2"}, []string{"latest", "v1.10.0-rc.2"}},
		{"no version", "", "", []string{"nonsense"}, []string{"latest"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := t.TempDir()
			dir := filepath.Join(cache, "cache", "download", "example.com", "!need", "@v")
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for _, v := range tt.cached {
				if err := os.WriteFile(filepath.Join(dir, v+".zip"), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			m := &goModule{dir: "/m"}
			m.old = map[string][]byte{m.gomod(): []byte("module example.com/m\n\ngo 1.21\n\n" + tt.gomod + "\n")}
			got, err := m.versions(&run{modCache: cache, workVersion: tt.work}, path)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRequirementsThatAreRaised(t *testing.T) {
	const path, other = "example.com/need", "example.com/other"
	gomod := func(lines ...string) []byte {
		return []byte("module example.com/m\n\ngo 1.21\n\nrequire (\n" + strings.Join(lines, "\n") + "\n)\n")
	}
	for _, tt := range []struct {
		name     string
		old, new []byte
		want     []string
	}{
		{"not required", gomod(other + " v1.0.0"), gomod(other+" v1.1.0", path+" v1.0.0"),
			[]string{"go get example.com/need/...@v1.0.0"}},
		{"required, and raises another", gomod(other+" v1.0.0", path+" v1.0.0"), gomod(other+" v1.1.0", path+" v1.0.0"),
			[]string{"go mod edit -droprequire=example.com/need", "go get example.com/need/...@v1.0.0"}},
		{"required, and raises none", gomod(other+" v1.0.0", path+" v1.0.0"), gomod(other+" v1.0.0", path+" v1.0.0"),
			[]string{"go get example.com/need/...@v1.0.0"}},
		{"required in another version", gomod(other+" v1.0.0", path+" v1.0.0"), gomod(other+" v1.0.0", path+" v1.2.0"),
			[]string{"go get example.com/need/...@v1.2.0"}},
		{"required beside what goes", gomod(other+" v1.0.0", path+" v1.0.0"), gomod("example.com/new v1.0.0", path+" v1.0.0"),
			[]string{"go get example.com/need/...@v1.0.0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &goModule{dir: "/m"}
			m.old = map[string][]byte{m.gomod(): tt.old, m.gosum(): []byte("sums")}
			m.new = map[string][]byte{m.gomod(): tt.new}
			before, err := m.without(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := modfile.Parse("go.mod", before[m.gomod()], nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Require) != 1 || f.Require[0].Mod.String() != other+"@v1.0.0" {
				t.Errorf("without it go.mod is %q", before[m.gomod()])
			}
			if got := string(before[m.gosum()]); got != "sums" {
				t.Errorf("without it go.sum is %q", got)
			}
			if err := errors.Join(m.noteVersion(path), m.noteRaised(path)); err != nil {
				t.Fatal(err)
			}
			if got := m.getCommands(path); !slices.Equal(got, tt.want) {
				t.Errorf("by hand it is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRequirementIsDirect(t *testing.T) {
	const head = "module example.com/m\n\ngo 1.21\n"
	for _, tt := range []struct{ name, before, want string }{
		{"a block of each kind", `
require (
	example.com/a v1.0.0
	example.com/z v1.0.0
)

require (
	example.com/b v1.0.0 // indirect
	example.com/y v1.0.0 // indirect
)
`, `
require (
	example.com/a v1.0.0
	example.com/need v1.2.3
	example.com/z v1.0.0
)

require (
	example.com/b v1.0.0 // indirect
	example.com/y v1.0.0 // indirect
)
`},
		{"the indirect ones first", `
require example.com/b v1.0.0 // indirect

require (
	example.com/a v1.0.0
	example.com/c v1.0.0
)
`, `
require example.com/b v1.0.0 // indirect

require (
	example.com/a v1.0.0
	example.com/c v1.0.0
	example.com/need v1.2.3
)
`},
		{"indirect ones alone", `
require example.com/b v1.0.0 // indirect
`, `
require example.com/need v1.2.3

require example.com/b v1.0.0 // indirect
`},
		{"a comment above a block", `
// what we import
require (
	example.com/a v1.0.0 // not v1.1.0, which is broken
	example.com/c v1.0.0
)

// what that imports
require (
	example.com/b v1.0.0 // indirect
	example.com/y v1.0.0 // indirect
)
`, `
// what we import
require (
	example.com/a v1.0.0 // not v1.1.0, which is broken
	example.com/c v1.0.0
)

// what that imports
require (
	example.com/b v1.0.0 // indirect
	example.com/y v1.0.0 // indirect
)

require example.com/need v1.2.3
`},
		{"none", "", `
require example.com/need v1.2.3
`},
		{"there already, in an older version", `
require (
	example.com/a v1.0.0
	example.com/need v1.0.0
)
`, `
require (
	example.com/a v1.0.0
	example.com/need v1.2.3
)
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &goModule{dir: "/m", version: "v1.2.3"}
			m.old = map[string][]byte{m.gomod(): []byte(head + tt.before)}
			m.new = map[string][]byte{m.gosum(): []byte("sums")}
			got, err := m.required(requirements{module: "example.com/need"})
			if err != nil {
				t.Fatal(err)
			}
			if text := string(got[m.gomod()]); text != head+tt.want {
				t.Errorf("got\n%s\nwant\n%s", text, head+tt.want)
			}
			if sums := string(got[m.gosum()]); sums != "sums" {
				t.Errorf("go.sum is %q", sums)
			}
		})
	}
}
