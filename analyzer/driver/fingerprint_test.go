package driver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestFingerprint(t *testing.T) {
	const base = `package p

import "io"

const C = 1

var V = []int{1}

type T struct {
	A int ` + "`json:\"a\"`" + `
	b *hidden
	io.Reader
}

func (t T) M(x int) string { return "" }

type hidden struct{ n int }

func (*hidden) h() {}

type G[P interface{ ~int }] struct{ p P }

type I interface{ m(unreached) }

type unreached struct{ x int }

type Alias = hidden

func F[P any](p P, g G[int]) hidden { return hidden{} }

func f() int { return 1 }
`
	for _, tt := range []struct {
		name, old, new string
		same           bool
	}{
		{"a function body", `return ""`, `return "changed"`, true},
		{"a comment and lines", "const C", "\n\n// C.\nconst C", true},
		{"an unexported function", "func f() int { return 1 }", "func g() bool { return true }", true},
		{"a parameter's name, at the cost of time only", "M(x int)", "M(y int)", false},
		{"an initial value of the same type", "[]int{1}", "[]int{2, 3}", true},
		{"a constant's value", "C = 1", "C = 2", false},
		{"a constant's type", "C = 1", "C int = 1", false},
		{"a variable's type", "[]int{1}", "[]int8{1}", false},
		{"a field's type", "A int", "A int8", false},
		{"a field's tag", "json:\"a\"", "json:\"b\"", false},
		{"an embedded field", "\tio.Reader", "\tio.Writer", false},
		{"a method's receiver", "func (t T) M", "func (t *T) M", false},
		{"a method's result", "M(x int) string { return \"\" }", "M(x int) error { return nil }", false},
		{"a field of a type that only a field reaches", "hidden struct{ n int }", "hidden struct{ n int8 }", false},
		{"a method of a type that only a field reaches", "func (*hidden) h()", "func (hidden) h()", false},
		{"a constraint", "~int }] struct", "~int | ~string }] struct", false},
		{"a type that only an interface's method reaches", "unreached struct{ x int }", "unreached struct{ x bool }", false},
		{"what an alias stands for", "Alias = hidden", "Alias = T", false},
		{"a type argument's origin", "g G[int])", "g *G[int])", false},
		{"an exported function gone", "func F[P any]", "func ff[P any]", false},
		{"a new exported function", "func f() int", "func N() int", false},
	} {
		changed := strings.Replace(base, tt.old, tt.new, 1)
		if changed == base {
			t.Fatalf("%s: no %q in the text", tt.name, tt.old)
		}
		if same := fingerprintOf(t, base) == fingerprintOf(t, changed); same != tt.same {
			t.Errorf("%s: same %v, want %v\n%s", tt.name, same, tt.same, fingerprintOf(t, changed))
		}
	}
}

func fingerprintOf(t *testing.T, src string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	io := types.NewPackage("io", "io")
	for _, name := range []string{"Reader", "Writer"} {
		io.Scope().Insert(types.NewNamed(types.NewTypeName(0, io, name, nil), types.NewInterfaceType(nil, nil), nil).Obj())
	}
	io.MarkComplete()
	conf := types.Config{Importer: importerFunc(func(string) (*types.Package, error) { return io, nil })}
	p, err := conf.Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &checked{types: p, mainPaths: map[string]bool{"example.com/p": true}}
	return c.fingerprint()
}
