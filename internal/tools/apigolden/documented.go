package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/packages"
)

// undocumented returns a line for each exported identifier of pkg without a
// comment, and for pkg itself. A comment counts for its whole paragraph: the
// interface methods, constants or variables that follow it without a blank line.
// That of a struct speaks for its fields.
func undocumented(pkg *packages.Package) []string {
	c := commentChecker{fset: pkg.Fset}
	hasDoc := func(f *ast.File) bool { return f.Doc.Text() != "" }
	if len(pkg.Syntax) > 0 && !slices.ContainsFunc(pkg.Syntax, hasDoc) {
		c.missing(pkg.Syntax[0].Name, "package "+pkg.Name)
	}
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				c.function(decl)
			case *ast.GenDecl:
				c.declaration(decl)
			}
		}
	}
	return c.problems
}

type commentChecker struct {
	fset     *token.FileSet
	problems []string
}

func (c *commentChecker) missing(at ast.Node, what string) {
	c.problems = append(c.problems, fmt.Sprintf("%s: %s has no doc comment", c.fset.Position(at.Pos()), what))
}

func (c *commentChecker) function(decl *ast.FuncDecl) {
	name := decl.Name.Name
	if decl.Recv != nil {
		receiver := receiverType(decl.Recv.List[0].Type)
		if !ast.IsExported(receiver) {
			return
		}
		name = receiver + "." + name
	}
	if decl.Name.IsExported() && decl.Doc.Text() == "" {
		c.missing(decl, name)
	}
}

// receiverType returns the name of T in T, *T and *T[P].
func receiverType(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

func (c *commentChecker) declaration(decl *ast.GenDecl) {
	documented := decl.Doc.Text() != ""
	if decl.Tok != token.TYPE {
		var specs []described
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				specs = append(specs, described{spec, spec.Names, documented || spec.Doc.Text() != "", spec.Comment.Text() != ""})
			}
		}
		c.paragraphs("", specs)
		return
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		if !spec.Name.IsExported() {
			continue
		}
		if spec.Doc.Text() == "" && spec.Comment.Text() == "" && !(documented && !decl.Lparen.IsValid()) {
			c.missing(spec, spec.Name.Name)
		}
		if t, ok := spec.Type.(*ast.InterfaceType); ok {
			var methods []described
			for _, m := range t.Methods.List { // embedded types have no names
				methods = append(methods, described{m, m.Names, m.Doc.Text() != "", m.Comment.Text() != ""})
			}
			c.paragraphs(spec.Name.Name+".", methods)
		}
	}
}

// described is a line or more that declares names.
type described struct {
	node   ast.Node
	names  []*ast.Ident
	above  bool // has a comment that leads it
	beside bool // has a comment at its end
}

// paragraphs reports the exported names without a comment of their own or of
// their paragraph.
func (c *commentChecker) paragraphs(prefix string, specs []described) {
	covered, lastLine := false, 0
	for _, s := range specs {
		begin := c.fset.Position(s.node.Pos()).Line
		if begin > lastLine+1 {
			covered = false
		}
		covered = covered || s.above
		lastLine = c.fset.Position(s.node.End()).Line
		for _, name := range s.names {
			if name.IsExported() && !covered && !s.beside {
				c.missing(name, prefix+name.Name)
			}
		}
	}
}
