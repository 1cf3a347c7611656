package driver

import (
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
)

func TestImportsThatTidyGoMod(t *testing.T) {
	const file = "/m/p/f.go"
	for _, tt := range []struct {
		name, before, after string
		want                bool
	}{
		{"an old client goes", `import "example.com/old"`, ``, true},
		{"what is needed comes", ``, `import "example.com/need/sub"`, true},
		{"the module itself comes", ``, `import "example.com/need"`, true},
		{"one becomes the other", `import "example.com/old"`, `import "example.com/need"`, true},
		{"both stay", `import ("example.com/old"; "example.com/need")`, `import ("example.com/need"; "example.com/old")`, false},
		{"another name", `import a "example.com/old"`, `import b "example.com/old"`, false},
		{"the standard library", ``, `import "context"`, false},
		{"another module", ``, `import "example.com/needless"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &run{sources: newSources(), overlay: map[string][]byte{file: []byte("package p\n" + tt.after)}}
			r.sources.text[file] = []byte("package p\n" + tt.before)
			r.tools.old.paths = []string{"example.com/old"}
			r.tools.requires = func(Options) requirements { return requirements{module: "example.com/need"} }
			for dir, want := range map[string]bool{"/m": tt.want, "/m/p": tt.want, "/other": false} {
				got, err := r.changesRequired(dir)
				if err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("%s: got %t, want %t", dir, got, want)
				}
			}
		})
	}
}

// TestGoModThatIsNotTidy: what go mod tidy would change without the rewrite is not the
// rewrite's to change.
func TestGoModThatIsNotTidy(t *testing.T) {
	const (
		extra = "\texample.com/extra v1.0.0\n"
		stale = "\tgithub.com/streadway/amqp v1.0.0\n"
		tree  = `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u import=example.com/need "= 1" => "= need.C"
const C = 1
-- old/old.go --
package old
-- _mods/need/go.mod --
module example.com/need

go 1.21
-- _mods/need/n.go --
package need

const C = 1
-- _mods/extra/go.mod --
module example.com/extra

go 1.21
-- _mods/extra/e.go --
package extra
`
	)
	for _, tt := range []struct {
		name     string
		requires string
		imports  string   // an import more
		want     []string // what go.mod requires then
		after    []string
	}{
		{"nothing required", "", "", []string{"example.com/need v0.0.0"}, nil},
		{"tidy", extra, `import _ "example.com/extra"`, []string{"example.com/extra v1.0.0", "example.com/need v0.0.0"}, nil},
		{"not tidy", extra, "", []string{"example.com/extra v1.0.0", "example.com/need v0.0.0"}, []string{"go mod tidy"}},
		{"an old client that nothing imports", stale, "", []string{"example.com/need v0.0.0"}, nil},
		{"what is needed, before anything imports it", "\texample.com/need v0.0.0\n", "", []string{"example.com/need v0.0.0"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n\nrequire (\n"+tt.requires+`)

replace (
	example.com/extra => ./_mods/extra
	example.com/need => ./_mods/need
	github.com/streadway/amqp => ./_mods/extra
)
-- b/b.go --
package b

`+tt.imports+"\n"+tree)
			opts := testOptions(dir, ModeFix)
			opts.UpdateMod = true
			tools := testTools()
			tools.requires = func(Options) requirements {
				return requirements{"example.com/need", map[string][]string{"": {"example.com/need"}}}
			}
			rep, err := runWith(t.Context(), opts, tools)
			if err != nil {
				t.Fatal(err)
			}
			f, err := modfile.Parse("go.mod", []byte(readFile(t, dir, "go.mod")), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, req := range f.Require {
				got = append(got, req.Mod.Path+" "+req.Mod.Version)
				if req.Indirect {
					t.Errorf("%s is indirect", req.Mod)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("go.mod requires %q, want %q", got, tt.want)
			}
			if !slices.Equal(rep.After, tt.after) {
				t.Errorf("to run after it: %q, want %q", rep.After, tt.after)
			}
		})
	}
}
