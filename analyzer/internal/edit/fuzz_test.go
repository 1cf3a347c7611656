package edit

import (
	"bytes"
	"go/parser"
	"go/token"
	"testing"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// FuzzApply adds two imports to any Go source, and removes one. What comes out
// must parse if what went in did, keep its byte order mark and its line ends,
// have the imports, and not change when they are added again.
func FuzzApply(f *testing.F) {
	for _, src := range []string{
		"package p\n",
		"package p",
		"\ufeffpackage p\r\n\r\nimport \"fmt\"\r\n\r\nvar a = fmt.Sprint(1)\r\n",
		"package p\n\nimport (\n\t\"fmt\"\n\n\t\"github.com/amqpfix/amqpfix/compat\" // old\n)\n",
		"package p; import (\"fmt\"; \"os\"); import \"C\"; var a int",
		"package p\n\nimport \"fmt\" /* a\nb */\n",
		"/* a */ package /* b */ p /* c\n */\nimport /* d */ ( /* e\n*/ \"fmt\" /* f */ /* g\n*/ )\n",
		"package p\n\n// int x;\nimport \"C\"\n\nimport ()\n",
		"//go:build linux\n\n// Package p.\npackage p // of p\n\nimport . \"context\"\nimport _ \"context\"\n",
	} {
		f.Add([]byte(src), "context", "context", "github.com/amqpfix/amqpfix/newapi", "api")
	}
	f.Fuzz(func(t *testing.T, src []byte, path1, name1, path2, name2 string) {
		parses := func(src []byte) bool {
			_, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
			return err == nil
		}
		if !parses(src) {
			t.Skip()
		}
		imports := []plan.Import{{Path: path1, Name: name1}, {Path: path2, Name: name2}}
		uses := []plan.Use{{Path: "fmt", Name: "fmt", Removed: 1, Total: 1}}
		got, err := Apply("p.go", src, nil, imports, uses)
		if err != nil {
			for _, imp := range imports {
				if (spec{imp.Path, imp.Name}).check() != nil {
					return
				}
			}
			t.Fatalf("imports %q: %v\nof %q", imports, err, src)
		}
		if !parses(got) {
			t.Fatalf("the result does not parse:\n%q\nof\n%q", got, src)
		}
		was, _ := shapeOf(src)
		is, _ := shapeOf(got)
		if was.bom != is.bom || was.noNewline != is.noNewline {
			t.Errorf("the shape %+v became %+v:\n%q\nof\n%q", was, is, got, src)
		}
		if was.crlf && !is.crlf {
			t.Errorf("a line does not end with CRLF any more:\n%q\nof\n%q", got, src)
		}
		for _, imp := range imports {
			if n := countImports(t, got, imp); n == 0 {
				t.Errorf("import %q as %s is missing:\n%q\nof\n%q", imp.Path, imp.Name, got, src)
			}
		}
		again, err := Apply("p.go", got, nil, imports, nil)
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("the second time %q became %q, %v", got, again, err)
		}
	})
}

func countImports(t *testing.T, src []byte, imp plan.Import) (n int) {
	t.Helper()
	parsed, err := parse("p.go", src)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range parsed.imports() {
		for _, in := range decl.Specs {
			if (spec{imp.Path, imp.Name}).is(in) {
				n++
			}
		}
	}
	return n
}
