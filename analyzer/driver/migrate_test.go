package driver

import (
	"slices"
	"strings"
	"testing"
)

func TestRollback(t *testing.T) {
	for _, tt := range []struct {
		name    string
		archive string
		want    []string          // places
		files   map[string]string // file: text that it must contain
		message string            // in a site's message
	}{
		{
			name: "a unit that breaks an importer two packages away goes back with those that need it",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

type T struct{}

//plan gone "Gone" => "Renamed"
func (T) Gone() {}

//plan fine "\"hello\"" => "\"bye\""
var S = "hello"
-- b/b.go --
package b

import "example.com/m/a"

func F() a.T { return a.T{} }
-- c/c.go --
package c

import (
	"example.com/m/b"
	_ "example.com/m/old"
)

func G() { b.F().Gone() }

//plan dependent needs=gone "1" => "2"
const N = 1

//plan further needs=dependent "1" => "2"
const M = 1

//plan other "1" => "2"
const L = 1
`,
			want:    []string{"a/a.go:8 left recheck-failed", "a/a.go:11 fold", "c/c.go:11 left recheck-failed", "c/c.go:14 left recheck-failed", "c/c.go:17 fold"},
			files:   map[string]string{"a/a.go": `func (T) Gone() {}`, "c/c.go": "const N = 1\n\n//plan further needs=dependent \"1\" => \"2\"\nconst M = 1\n\n//plan other \"1\" => \"2\"\nconst L = 2"},
			message: "breaks example.com/m/c: b.F().Gone undefined",
		},
		{
			name: "an importer whose own imports look the same is not in the way",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan renamed "Old" => "New"
func Old() {}
-- b/b.go --
package b

import _ "example.com/m/a"
`,
			want:  []string{"a/a.go:6 fold"},
			files: map[string]string{"a/a.go": "func New() {}"},
		},
		{
			name: "a unit that needs one of a package that does not type-check",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan decl "int" => "string"
func F() int { return "" }
-- b/b.go --
package b

import (
	"example.com/m/a"
	_ "example.com/m/old"
)

//plan use needs=decl "int" => "string"
var V int = a.F()
`,
			want:    []string{"b/b.go:9 left recheck-failed"},
			message: "it needs the rewrite of decl, which was not made",
		},
		{
			name: "a connected set over two packages is applied whole",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan decl needs=use "int" => "string"
//plan decl needs=use "1" => "\"x\""
func F() int { return 1 }
-- b/b.go --
package b

import (
	"example.com/m/a"
	_ "example.com/m/old"
)

//plan use needs=decl "int" => "string"
var V int = a.F()
`,
			want:  []string{"a/a.go:7 fold", "a/a.go:7 fold", "b/b.go:9 fold"},
			files: map[string]string{"a/a.go": `func F() string { return "x" }`, "b/b.go": "var V string = a.F()"},
		},
		{
			name: "half of a connected set is not applied",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan decl needs=use "int" => "string"
//plan decl needs=use "1" => "\"x\""
func F() int { return 1 }
-- b/b.go --
package b

import (
	"example.com/m/a"
	_ "example.com/m/old"
)

//plan use needs=decl "int" => "bool"
var V int = a.F()
`,
			want:    []string{"a/a.go:7 left recheck-failed", "a/a.go:7 left recheck-failed", "b/b.go:9 left recheck-failed"},
			message: "breaks example.com/m/b: cannot use a.F()",
		},
		{
			name: "one bad unit among many",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan u0 "= 0" => "= -0"
var v0 = 0

//plan u1 "= 1" => "= -1"
var v1 = 1

//plan u2 "= 2" => "= undefined"
var v2 = 2

//plan u3 "= 3" => "= -3"
var v3 = 3

//plan u4 "= 4" => "= -4"
var v4 = 4
`,
			want:    []string{"a/a.go:6 fold", "a/a.go:9 fold", "a/a.go:12 left recheck-failed", "a/a.go:15 fold", "a/a.go:18 fold"},
			files:   map[string]string{"a/a.go": "var v2 = 2\n"},
			message: "undefined: undefined",
		},
		{
			name: "what needs a good unit of a package with a bad one",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan bad "= 1" => "= undefined"
const C = 1

//plan good "= 2" => "= 3"
const D = 2
-- z/z.go --
package z

import _ "example.com/m/old"

//plan needy needs=good "= 2" => "= 3"
const D = 2
`,
			want:    []string{"a/a.go:6 left recheck-failed", "a/a.go:9 fold", "z/z.go:6 fold"},
			message: "undefined: undefined",
		},
		{
			name: "a unit that breaks only the tests of its package",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan renamed "internal" => "renamed"
func internal() {}
-- a/a_test.go --
package a

import "testing"

func TestInternal(t *testing.T) { internal() }
`,
			want:    []string{"a/a.go:6 left recheck-failed"},
			message: "breaks example.com/m/a: undefined: internal",
		},
		{
			name: "a unit that breaks only the external tests of another package",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan renamed "Old" => "New"
func Old() {}
-- b/b.go --
package b
-- b/b_test.go --
package b_test

import "example.com/m/a"

var _ = a.Old
`,
			want:    []string{"a/a.go:6 left recheck-failed"},
			message: "breaks example.com/m/b_test: undefined: a.Old",
		},
		{
			name: "a package that was broken before is no reason",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan renamed "Old" => "New"
func Old() {}

//plan fine "1" => "2"
const C = 1
-- b/b.go --
package b

import "example.com/m/a"

var _ int = "" // not a's doing
var _ = a.C
`,
			want:  []string{"a/a.go:6 fold", "a/a.go:9 fold"},
			files: map[string]string{"a/a.go": "func New() {}"},
		},
		{
			name: "a package that was broken before, and whose errors name what changes",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

type T struct{}

type U struct{}

//plan changed "T { return T{} }" => "U { return U{} }"
func F() T { return T{} }
-- b/b.go --
package b

import "example.com/m/a"

var _ int = a.F()
`,
			want:  []string{"a/a.go:10 fold"},
			files: map[string]string{"a/a.go": "func F() U { return U{} }"},
		},
		{
			name: "a package that was broken before and is so in one more place",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

type T struct{}

type U struct{}

//plan changed "T { return T{} }" => "U { return U{} }"
func F() T { return T{} }
-- b/b.go --
package b

import "example.com/m/a"

var _ int = a.F()
var _ a.T = a.F()
`,
			want:    []string{"a/a.go:10 left recheck-failed"},
			message: "breaks example.com/m/b: ",
		},
		{
			name: "a site that no unit rewrites",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan left=orphan "1"
const C = 1
`,
			want:    []string{"a/a.go:6 left recheck-failed"},
			message: "internal error: no edit rewrites the call",
		},
		{
			name: "edits that overlap",
			archive: `
-- a/a.go --
package a

import _ "example.com/m/old"

//plan long "1 + 2" => "3"
//plan short "+ 2" => "+ 5"
const C = 1 + 2
`,
			want:    []string{"a/a.go:7 fold", "a/a.go:7 left recheck-failed"},
			files:   map[string]string{"a/a.go": "const C = 3"},
			message: "overlaps",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeTree(t, tt.archive)
			rep := fix(t, dir)
			if got := places(dir, rep.Sites); !slices.Equal(got, tt.want) {
				t.Errorf("sites:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			for name, want := range tt.files {
				if got := readFile(t, dir, name); !strings.Contains(got, want) {
					t.Errorf("%s lacks %q:\n%s", name, want, got)
				}
			}
			if tt.message != "" && !slices.ContainsFunc(rep.Sites, func(s Site) bool { return strings.Contains(s.Message, tt.message) }) {
				t.Errorf("no site says %q: %+v", tt.message, rep.Sites)
			}
			again := fix(t, dir)
			if len(again.Files) > 0 {
				t.Errorf("a second run changes %s:\n%s", again.Files[0].Path, again.Diff())
			}
		})
	}
}
