package driver

import (
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

func TestLoopVars(t *testing.T) {
	for _, tt := range []struct {
		name string
		body string
		want []string // "name why line", lines from that of the body's first
	}{
		{"a closure", "for i := 0; i < 3; i++ {\n fs = append(fs, func() int { return i })\n}", []string{"i captured by a closure 2"}},
		{"key and value of a range", "for k, v := range list {\n fs = append(fs, func() int { return k + v })\n}", []string{"k captured by a closure 2", "v captured by a closure 2"}},
		{"only the value", "for k, v := range list {\n fs = append(fs, func() int { return v })\n _ = k\n}", []string{"v captured by a closure 2"}},
		{"a closure that is called where it stands", "for i := range list {\n func() { use(i) }()\n (func() { use(i) })()\n}", nil},
		{"one in it", "for i := range list {\n func() { defer func() { use(i) }() }()\n}", []string{"i captured by a closure 2"}},
		{"go", "for i := range list {\n go func() { use(i) }()\n}", []string{"i captured by a closure 2"}},
		{"defer", "for i := range list {\n defer func() { use(i) }()\n}", []string{"i captured by a closure 2"}},
		{"an argument is evaluated at once", "for i := range list {\n go use(i)\n defer func(i int) { use(i) }(i)\n}", nil},
		{"a copy of the body", "for i := range list {\n i := i\n go func() { use(i) }()\n}", nil},
		{"a variable from before", "i := 0\nfor i = range list {\n go func() { use(i) }()\n}", nil},
		{"the condition", "for i := 0; func() bool { go func() { use(i) }(); return i < 3 }(); i++ {\n}", []string{"i captured by a closure 1"}},
		{"the post statement", "for i := 0; i < 3; later(func() { i++ }) {\n}", []string{"i captured by a closure 1"}},
		{"a loop in the closure", "go func() {\n for i := range list {\n  use(i)\n }\n}()", nil},
		{"a closure in that loop", "go func() {\n for i := range list {\n  later(func() { use(i) })\n }\n}()", []string{"i captured by a closure 3"}},
		{"the outer loop of two", "for i := range list {\n for j := range list {\n  later(func() { use(i) })\n  use(j)\n }\n}", []string{"i captured by a closure 3"}},
		{"two variables of one clause", "for i, j := 0, 1; i < j; i++ {\n later(func() { use(j) })\n}", []string{"j captured by a closure 2"}},
		{"held by two values of the clause", "for i, p, q := 0, (*int)(nil), (*int)(nil); i < 3; i++ {\n p, q = &i, &i\n later(func() { use(*p + *q) })\n}", []string{"i its address is taken 2", "p captured by a closure 3", "q captured by a closure 3"}},
		{"an address", "for _, v := range list {\n ps = append(ps, &v)\n}", []string{"v its address is taken 2"}},
		{"the address of a field", "for _, s := range structs {\n ps = append(ps, &(s.n))\n}", []string{"s its address is taken 2"}},
		{"the address of an array's element", "for _, s := range structs {\n ps = append(ps, &s.a[1])\n}", []string{"s its address is taken 2"}},
		{"an array sliced", "for _, s := range structs {\n keep(s.a[:])\n}", []string{"s its address is taken 2"}},
		{"the address of what a pointer points to", "for _, s := range pointers {\n ps = append(ps, &s.n, &s.a[1])\n keep(s.a[:])\n}", nil},
		{"the address of a slice's element", "for _, s := range slices {\n ps = append(ps, &s[0])\n keep(s[1:])\n}", nil},
		{"a method by pointer", "for _, s := range structs {\n s.set(1)\n}", []string{"s its address goes to a method 2"}},
		{"a method value by pointer", "for _, s := range structs {\n sets = append(sets, s.set)\n}", []string{"s its address goes to a method 2"}},
		{"a deferred method by pointer", "for _, s := range structs {\n defer s.set(1)\n}", []string{"s its address goes to a method 2"}},
		{"a method by value", "for _, s := range structs {\n use(s.get())\n}", nil},
		{"a method of a pointer", "for _, s := range pointers {\n s.set(1)\n}", nil},
		{"a promoted method by pointer", "for _, o := range outers {\n o.set(1)\n}", []string{"o its address goes to a method 2"}},
		{"one promoted through a pointer", "for _, o := range pouters {\n o.set(1)\n}", nil},
		{"a method of an interface", "for _, s := range setters {\n s.set(1)\n}", nil},
		{"a method of a type that is not known", "for _, s := range unknown.List {\n s.Set(1)\n}", []string{"s its address goes to a method 2 likely"}},
		{"a field of a type that is not known", "for _, s := range unknown.List {\n use(s.N)\n}", []string{"s its address goes to a method 2 hardly"}},
		{"a closure passed to what is not known", "for _, s := range unknown.List {\n unknown.Run(s.Name, func(t *unknown.T) { use(s) })\n}", []string{"s captured by a closure 2"}},
		{"other variables", "n := 1\nlater(func() { use(n) })\nswitch v := any(n).(type) {\ncase int:\n later(func() { use(v) })\n}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const before = `package p
import "example.com/unknown"
type S struct { n int; a [4]int }
func (s *S) set(n int) { s.n = n }
func (s S) get() int { return s.n }
type outer struct { S }
type pouter struct { *S }
var (
	list []int; structs []S; pointers []*S; slices [][]int; outers []outer; pouters []pouter
	setters []interface{ set(int) }
	fs []func() int; ps []*int; sets []func(int)
)
func use(int) {}
func later(func()) {}
func keep([]int) {}
func f() {
`
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, "p.go", before+"//line body.go:1\n"+tt.body+"\n}\n", parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			first := 18 // the line of the body, which a //line comment does not change
			for _, v := range loopVars(fset, file, typesOfFile(fset, file)) {
				s := fmt.Sprintf("%s %s %d", v.Name, v.Why, v.Use.Line-first+1)
				if v.doubt > sure {
					s += []string{"", " likely", " hardly"}[v.doubt]
				}
				got = append(got, s)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// loopTree is a module whose files have a loop each, unlike in what type and
// version they have it with.
const loopTree = `
-- m.go --
package m

import "example.com/m/dep"

func Run(ts []dep.T) (fs []func()) {
	for _, t := range ts {
		fs = append(fs, func() { println(t.N) })
	}
	for _, u := range ts {
		println(u.N, u.Get())
	}
	for _, w := range ts {
		w.Set()
	}
	return fs
}
-- m_test.go --
package m

func run(ts []int) (fs []func()) {
	for _, test := range ts {
		fs = append(fs, func() { println(test) })
	}
	return fs
}
-- dep/dep.go --
package dep

type T struct{ N int }

func (t *T) Set() {}

func (t T) Get() int { return t.N }
-- tagged.go --
//go:build never

package m

import "example.com/m/dep"

func never(ts []dep.T) {
	for _, tagged := range ts {
		defer println(&tagged, tagged.N)
	}
	for _, field := range ts {
		println(field.N)
	}
}
-- new.go --
//go:build go1.22

package m

func recent(ts []int) (ps []*int) {
	for _, recent := range ts {
		ps = append(ps, &recent)
	}
	return ps
}
-- held.go --
//go:build go1.21

package m

func held(ts []int) (ps []*int) {
	for _, held := range ts {
		ps = append(ps, &held)
	}
	return ps
}
-- testdata/data.go --
package data

func data(ts []int) (ps []*int) {
	for _, data := range ts {
		ps = append(ps, &data)
	}
	return ps
}
-- nested/go.mod --
module example.com/nested

go 1.21
-- nested/nested.go --
package nested

func nested(ts []int) (ps []*int) {
	for _, nested := range ts {
		ps = append(ps, &nested)
	}
	return ps
}
`

func TestChangedLoops(t *testing.T) {
	dir := writeTree(t, loopTree)
	// held.go stays with Go 1.21 by its constraint, and recent.go was with 1.22.
	all := []string{"m.go:6:9 t", "m.go:12:9 w", "m_test.go:4:9 test", "tagged.go:8:9 tagged"}
	for _, tt := range []struct {
		from, to string
		want     []string
	}{
		{"go1.13", "go1.21", nil},
		{"go1.21", "go1.21.9", nil},
		{"go1.21", "go1.22rc1", all},
		{"go1.21", "go1.22", all},
		{"go1.21.9", "go1.22.0", all},
		{"go1.13", "go1.26", all},
		{"go1.22", "go1.23", nil},
		{"go1.22.0", "go1.26", nil},
	} {
		t.Run(tt.from+" to "+tt.to, func(t *testing.T) {
			r := &run{ctx: t.Context(), sources: newSources(), base: build{dir: dir, env: testEnv()}}
			loops, err := r.changedLoops(dir, tt.from, tt.to)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range loops {
				rel, err := filepath.Rel(dir, v.Pos.Filename)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s:%d:%d %s", filepath.ToSlash(rel), v.Pos.Line, v.Pos.Column, v.Name))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
