package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// edits is everything that is changed in amqp091-go's test file. What it takes
// from other test files and from unexported names of amqp091-go is declared in
// testdata/support_test.go.
var edits = []edit{
	{
		// A method cannot be declared on Publishing, which is an alias here.
		what: "the method Publishing.Generate becomes the function generatePublishing",
		find: func(f *ast.File) (from, to token.Pos) {
			if d := function(f, "Publishing", "Generate"); d != nil {
				return d.Recv.Pos(), d.Name.End()
			}
			return token.NoPos, token.NoPos
		},
		text: "generatePublishing",
	},
	{
		// testing/quick finds values by that method: in its place, a variable of
		// the package's name calls quick with generatePublishing.
		what: "the import of testing/quick goes",
		find: func(f *ast.File) (from, to token.Pos) {
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); path == "testing/quick" {
					return spec.Pos(), spec.End()
				}
			}
			return token.NoPos, token.NoPos
		},
	},
}

// edit replaces one piece of a file.
type edit struct {
	what string
	find func(*ast.File) (from, to token.Pos)
	text string
}

// applyEdits returns source with every edit made. An edit that finds nothing to
// do, or that is in the body of a test, is an error: the file is not what the
// list was made for.
func applyEdits(source []byte, edits []edit) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, testFile, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	type piece struct {
		from, to int
		text     string
	}
	var pieces []piece
	for _, e := range edits {
		from, to := e.find(f)
		if !from.IsValid() {
			return nil, fmt.Errorf("%s: found nothing to edit: %s", testFile, e.what)
		}
		for _, test := range tests(f) {
			if from < test.Body.End() && test.Body.Pos() < to {
				return nil, fmt.Errorf("%s: edit in the body of %s: %s", testFile, test.Name, e.what)
			}
		}
		pieces = append(pieces, piece{fset.Position(from).Offset, fset.Position(to).Offset, e.text})
	}
	slices.SortFunc(pieces, func(a, b piece) int { return a.from - b.from })
	var out []byte
	done := 0
	for _, p := range pieces {
		out = append(append(out, source[done:p.from]...), p.text...)
		done = p.to
	}
	return append(out, source[done:]...), nil
}

// function finds a method by the name of its receiver's type.
func function(f *ast.File, receiver, name string) *ast.FuncDecl {
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Recv == nil || d.Name.Name != name {
			continue
		}
		if t, ok := d.Recv.List[0].Type.(*ast.Ident); ok && t.Name == receiver {
			return d
		}
	}
	return nil
}

// tests returns the tests of a file as go test counts them.
func tests(f *ast.File) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, decl := range f.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name != "TestMain" && isTestName(d.Name.Name) {
			all = append(all, d)
		}
	}
	return all
}

func isTestName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	return ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z')
}

func testNames(source []byte) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), testFile, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range tests(f) {
		names = append(names, d.Name.Name)
	}
	if names == nil {
		return nil, errors.New(testFile + " has no test")
	}
	return names, nil
}

// matching selects names as go test -run does, subtests aside.
func matching(names []string, run string) []string {
	re := regexp.MustCompile(run)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !re.MatchString(name) })
}

// exactly is a -run for names.
func exactly(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
