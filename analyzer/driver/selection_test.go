package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCandidates(t *testing.T) {
	dir := writeTree(t, `
-- direct/a.go --
package direct

import _ "example.com/m/old"
-- shared/a.go --
package shared

import "example.com/m/old"

func Channel() *old.Channel { return nil }
-- between/a.go --
package between

import "example.com/m/shared"

var C = shared.Channel
-- caller/a.go --
package caller

import "example.com/m/between"

func F() { between.C().OldPublish() }
-- silent/a.go --
package silent

import "example.com/m/between"

var C = between.C
-- namesake/a.go --
package namesake

// OldPublish is another one.
func OldPublish() {}
-- testonly/a.go --
package testonly
-- testonly/a_test.go --
package testonly

import _ "example.com/m/old"
-- external/a.go --
package external
-- external/a_test.go --
package external_test

import _ "example.com/m/old"
-- broken/a.go --
package broken

var x int = "" // nobody asked
`)
	rep, err := runWith(t.Context(), testOptions(dir, ModeReport), testTools())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range rep.Packages {
		got = append(got, strings.TrimPrefix(p, "example.com/m/"))
	}
	want := []string{"caller", "direct", "external", "external_test", "shared", "testonly"}
	if !slices.Equal(got, want) {
		t.Errorf("analysed %q, want %q", got, want)
	}
	if len(rep.Problems) > 0 {
		t.Errorf("problems %+v", rep.Problems)
	}
}

func TestTestFilesOnlyWithTests(t *testing.T) {
	dir := writeTree(t, variants)
	opts := testOptions(dir, ModeReport)
	opts.Tests = false
	rep, err := runWith(t.Context(), opts, testTools())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
}

const variants = `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "= 1" => "= 2"
const C = 1
-- a/in_test.go --
package a

//plan in "= 1" => "= 2"
const D = 1
-- a/ex_test.go --
package a_test

import _ "example.com/m/old"

//plan ex "= 1" => "= 2"
const E = 1
`

func TestEachFileIsEditedOnce(t *testing.T) {
	dir := writeTree(t, variants)
	rep := fix(t, dir)
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 fold", "a/ex_test.go:6 fold", "a/in_test.go:4 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if got, want := rep.Summary.String(), "3 call sites: 3 folded, 0 left"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	for _, name := range []string{"a/a.go", "a/ex_test.go", "a/in_test.go"} {
		if got := readFile(t, dir, name); !strings.HasSuffix(got, " = 2\n") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestPackagesThatDoNotTypeCheck(t *testing.T) {
	const fine = `
-- fine/a.go --
package fine

import _ "example.com/m/old"

//plan fine "= 1" => "= 2"
const C = 1
`
	for _, tt := range []struct {
		name, archive string
		sites         []string
		problem       string
	}{
		{"type error", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "= 1" => "= 2"
const C = 1

var x int = ""
var y int = ""
`, nil, `a/a.go:8: example.com/m/a: does not type-check: cannot use "" (untyped string constant) as int value in variable declaration (and 1 more)`},
		{"syntax error", `
-- a/a.go --
package a

import _ "example.com/m/old"

func F( {
`, nil, `a/a.go:5: example.com/m/a: does not type-check: expected ')', found '{'`},
		{"tests only", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "= 1" => "= 2"
const C = 1
-- a/a_test.go --
package a

var x int = ""
`, []string{"a/a.go:6 fold"}, `a/a_test.go:3: example.com/m/a: has tests that do not type-check: cannot use "" (untyped string constant) as int value in variable declaration`},
		{"external tests only", `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "= 1" => "= 2"
const C = 1
-- a/a_test.go --
package a_test

import _ "example.com/m/old"

var x int = ""
`, []string{"a/a.go:6 fold"}, `a/a_test.go:5: example.com/m/a_test: does not type-check: cannot use "" (untyped string constant) as int value in variable declaration`},
		{"missing import", `
-- a/a.go --
package a

import (
	_ "example.com/m/old"
	"example.com/nosuch"
)

//plan a "= 1" => "= 2"
const C = 1

var x = nosuch.X
`, nil, `a/a.go:5: example.com/m/a: does not type-check: could not import example.com/nosuch (no required module provides package example.com/nosuch; to add it: go get example.com/nosuch)`},
		{"import cycle", `
-- a/a.go --
package a

import (
	_ "example.com/m/b"
	_ "example.com/m/old"
)
-- b/b.go --
package b

import (
	_ "example.com/m/a"
	_ "example.com/m/old"
)
`, nil, "import cycle"},
		{"two packages in one directory", `
-- a/a.go --
package a

import _ "example.com/m/old"
-- a/b.go --
package b
`, nil, "example.com/m/a: does not load: found packages a (a.go) and b (b.go) in "},
		{"on a package that is broken", `
-- a/a.go --
package a

type T struct{}

func (T) M() {}

var x int = ""
-- b/b.go --
package b

import (
	"example.com/m/a"
	_ "example.com/m/old"
)

//plan b "= 1" => "= 2"
const C = 1

func F() { a.T{}.M() }
`, []string{"b/b.go:9 fold"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tt.archive+fine)
			rep := fix(t, dir)
			want := append(tt.sites, "fine/a.go:6 fold")
			if got := places(dir, rep.Sites); !slices.Equal(got, want) {
				t.Errorf("sites %q, want %q", got, want)
			}
			var problems []string
			for _, p := range rep.Problems {
				at := ""
				if p.Pos.IsValid() {
					at = strings.TrimPrefix(p.Pos.Filename, dir+"/") + ":" + itoa(p.Pos.Line) + ": "
				}
				problems = append(problems, at+p.String())
			}
			switch {
			case tt.problem == "" && len(problems) > 0:
				t.Errorf("problems %q", problems)
			case tt.problem != "" && !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, tt.problem) }):
				t.Errorf("problems %q, want %q", problems, tt.problem)
			}
		})
	}
}

func TestPatternsThatNameNothing(t *testing.T) {
	for _, tt := range []struct {
		name     string
		patterns []string
		want     string
	}{
		{"no such directory", []string{"./nosuch"}, "cannot load ./nosuch: stat "},
		{"no such directory below", []string{"./nosuch/..."}, "cannot load pattern ./nosuch/...: lstat ./nosuch/: no such file or directory"},
		{"no such package", []string{"example.com/nosuch"}, "cannot load example.com/nosuch: no required module provides package example.com/nosuch; to add it: go get example.com/nosuch"},
		{"outside the module", []string{"/"}, "cannot load "},
		{"no Go file", []string{"./docs"}, "cannot load "},
		{"nothing below", []string{"./docs/..."}, "no package of the main module matches ./docs/..."},
		{"standard library", []string{"fmt"}, "no package of the main module matches fmt"},
		{"one good one bad", []string{"./old", "./nosuch"}, "cannot load ./nosuch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, "-- docs/readme.txt --\n")
			opts := testOptions(dir, ModeFix)
			opts.Patterns = tt.patterns
			_, err := runWith(t.Context(), opts, testTools())
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

func TestNoModule(t *testing.T) {
	dir := t.TempDir()
	_, err := runWith(t.Context(), testOptions(dir, ModeReport), testTools())
	want := "no go.mod in " + dir + " or a directory above it: run amqpfix inside a module, or name one with -C"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestBadOptions(t *testing.T) {
	dir := writeTree(t, "-- file --\n")
	for _, tt := range []struct {
		opts Options
		want string
	}{
		{Options{Dir: dir, Mode: 7}, "unknown mode 7"},
		{Options{Dir: dir, Ctx: "none"}, `ctx "none": want background or scope`},
		{Options{Dir: dir + "/nosuch"}, "no such file or directory"},
		{Options{Dir: dir + "/file"}, "is not a directory"},
	} {
		if _, err := runWith(t.Context(), tt.opts, testTools()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.opts, err, tt.want)
		}
	}
}

func TestFolderOfPrograms(t *testing.T) {
	dir := writeTree(t, `
-- send.go --
package main

import "example.com/m/old"

//plan send import=errors "panic(1)" => "panic(errors.New(\"x\"))"
func main() { new(old.Channel).OldPublish(); panic(1) }

func check() {}
-- receive.go --
package main

import "example.com/m/old"

//plan receive "panic(2)" => "panic(3)"
func main() { new(old.Channel).OldPublish(); check(); panic(2) }

func check() {}
-- bad.go --
package main

import "example.com/m/old"

//plan bad "panic(4)" => "undefined()"
func main() { new(old.Channel).OldPublish(); panic(4) }
-- broken.go --
package main

import "example.com/m/old"

func main() { new(old.Channel).OldPublish(); nosuch() }
-- other.go --
package main

func main() { neverLookedAt() }
-- x_test.go --
package main_test

import _ "example.com/m/old"

//plan x "= 1" => "= 2"
const C = 1
`)
	rep := fix(t, dir)
	want := []string{"bad.go:6 left recheck-failed", "receive.go:6 fold", "send.go:6 fold", "x_test.go:6 fold"}
	if got := places(dir, rep.Sites); !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	if len(rep.Problems) != 1 || rep.Problems[0].String() != "example.com/m: broken.go by itself does not type-check: undefined: nosuch" {
		t.Errorf("problems %+v", rep.Problems)
	}
	if got := readFile(t, dir, "send.go"); !strings.Contains(got, `panic(errors.New("x"))`) {
		t.Errorf("send.go:\n%s", got)
	}
	if again := fix(t, dir); len(again.Files) > 0 {
		t.Errorf("a second run changes:\n%s", again.Diff())
	}
}

func TestFilesAsPatterns(t *testing.T) {
	dir := writeTree(t, `
-- go.mod --
module example.com/files

go 1.21

require example.com/m v0.0.0

replace example.com/m => ./m
-- m/go.mod --
module example.com/m

go 1.21
-- m/old/old.go --
package old
-- a/one.go --
package main

import _ "example.com/m/old"

//plan one "= 1" => "= 2"
const C = 1

func main() {}
-- a/two.go --
package main

import _ "example.com/m/old"

//plan two "= 1" => "= 2"
const C = 1

func main() {}
`)
	opts := testOptions(dir, ModeFix)
	opts.Patterns = []string{"a/two.go"}
	rep, err := runWith(t.Context(), opts, testTools())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := places(dir, rep.Sites), []string{"a/two.go:6 fold"}; !slices.Equal(got, want) || !rep.Written {
		t.Errorf("sites %q, want %q; problems %+v", got, want, rep.Problems)
	}
	if got := readFile(t, dir, "a/one.go"); !strings.Contains(got, "C = 1\n") {
		t.Errorf("one.go was written:\n%s", got)
	}
}

func TestWorkspaceThatDoesNotListTheModule(t *testing.T) {
	dir := writeTree(t, `
-- go.work --
go 1.21

use ./other
-- other/go.mod --
module example.com/other

go 1.21
-- a/a.go --
package a

import _ "example.com/m/old"

//plan a "= 1" => "= 2"
const C = 1
`)
	opts := testOptions(dir, ModeFix)
	opts.Env = slices.DeleteFunc(opts.Env, func(v string) bool { return strings.HasPrefix(v, "GOWORK=") })
	rep, err := runWith(t.Context(), opts, testTools())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := places(dir, rep.Sites), []string{"a/a.go:6 fold"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q; problems %+v", got, want, rep.Problems)
	}

	// One that lists it, by a path of its own, stays in use.
	opts.Dir, opts.Patterns = dir, []string{"./other/...", "./..."}
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.21\n\nuse (\n\t./other\n\t./other/..\n)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other", "o.go"), []byte(strings.Replace(readFile(t, dir, "a/a.go"), "package a", "package other", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err = runWith(t.Context(), opts, testTools())
	if err != nil || !slices.Equal(rep.Packages, []string{"example.com/m/a", "example.com/other"}) {
		t.Errorf("analysed %q, %v", rep.Packages, err)
	}

	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("nonsense"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err = runWith(t.Context(), opts, testTools()); err == nil || !strings.Contains(err.Error(), "go.work") {
		t.Errorf("error %v", err)
	}
}
