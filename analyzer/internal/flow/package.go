package flow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// Package holds what the proofs read of one type-checked package. It is not
// safe for concurrent use.
type Package struct {
	Info  *types.Info
	Types *types.Package
	Root  inspector.Cursor // of all files of the package
	Fset  *token.FileSet

	publish  *types.Signature // of the old publish method, without receiver
	mentions map[*types.Var]*mention
	vars     map[*types.Var]*varFacts
	values   map[*types.Var]*Value
	gotos    map[ast.Node]bool
	keepers  map[*ast.Ident]bool // what must stay of imports, made on first use
	comments []*ast.Comment      // of all files, in order of position
	assigned map[*types.Var]bool // fields that something changes, made on first use
}

// mention lists where the identifiers of one variable stand.
type mention struct {
	def  inspector.Cursor // not valid for an implicit object
	uses []inspector.Cursor
}

// Refusal says why something cannot be rewritten.
type Refusal struct {
	Category string   // a word of package plan
	Why      string   // a clause with its subject: "props is compared with nil"
	At       ast.Node // what explains it; nil when the site itself does
	Note     string   // what to say about At
	Hint     string   // what to do, where the category's own words do not fit
}

// New returns a Package, or nil when pkg does not reach the old API at all.
func New(fset *token.FileSet, pkg *types.Package, info *types.Info, root inspector.Cursor) *Package {
	old := findImport(pkg, oldapi.Compat, make(map[*types.Package]bool))
	if old == nil {
		return nil
	}
	channel, ok := old.Scope().Lookup(oldapi.ChannelType).(*types.TypeName)
	if !ok {
		return nil
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(channel.Type()), true, old, oldapi.PublishMethod)
	fn, ok := method.(*types.Func)
	if !ok {
		return nil
	}
	return &Package{
		Info:    info,
		Types:   pkg,
		Root:    root,
		Fset:    fset,
		publish: fn.Signature(),
		values:  make(map[*types.Var]*Value),
		gotos:   make(map[ast.Node]bool),
	}
}

func findImport(pkg *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	for _, imp := range pkg.Imports() {
		if seen[imp] {
			continue
		}
		seen[imp] = true
		if imp.Path() == path {
			return imp
		}
		if found := findImport(imp, path, seen); found != nil {
			return found
		}
	}
	return nil
}

// mentionsOf returns where v is named. The index of all variables of the old
// interface type is made on first use.
func (p *Package) mentionsOf(v *types.Var) *mention {
	if p.mentions == nil {
		p.mentions = make(map[*types.Var]*mention)
		at := func(v *types.Var) *mention {
			m := p.mentions[v]
			if m == nil {
				m = new(mention)
				p.mentions[v] = m
			}
			return m
		}
		for cur := range p.Root.Preorder((*ast.Ident)(nil)) {
			id := cur.Node().(*ast.Ident)
			if v, ok := p.Info.Defs[id].(*types.Var); ok && isProperties(v.Type()) {
				at(v).def = cur
			} else if v, ok := p.Info.Uses[id].(*types.Var); ok && isProperties(v.Type()) {
				at(v).uses = append(at(v).uses, cur)
			}
		}
	}
	if m := p.mentions[v]; m != nil {
		return m
	}
	return new(mention)
}

// Mentions returns where v is declared and named.
func (p *Package) Mentions(v *types.Var) []inspector.Cursor {
	m := p.mentionsOf(v)
	if !m.def.Valid() {
		return m.uses
	}
	return append([]inspector.Cursor{m.def}, m.uses...)
}

// isProperties reports whether t is the old interface, by whatever name.
func isProperties(t types.Type) bool { return isNamed(t, oldapi.PropertiesType) }

// isChannel reports whether t is the old channel or a pointer to it.
func isChannel(t types.Type) bool {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return isNamed(t, oldapi.ChannelType)
}

func isNamed(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	obj := named.Obj()
	return obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == oldapi.Compat
}

func isOld(obj types.Object) bool {
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == oldapi.Compat
}

// outOfParens returns the outermost parenthesised expression around cur, or
// cur itself.
func outOfParens(cur inspector.Cursor) inspector.Cursor {
	for {
		parent := cur.Parent()
		if _, ok := parent.Node().(*ast.ParenExpr); !ok {
			return cur
		}
		cur = parent
	}
}

// called returns the call whose function cur is, parentheses aside.
func called(cur inspector.Cursor) (inspector.Cursor, bool) {
	cur = outOfParens(cur)
	if cur.ParentEdgeKind() != edge.CallExpr_Fun {
		return inspector.Cursor{}, false
	}
	return cur.Parent(), true
}

// function returns the innermost function declaration or literal around cur.
// It is not valid for package-level initialisers.
func function(cur inspector.Cursor) inspector.Cursor {
	for fn := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fn != cur {
			return fn
		}
	}
	return inspector.Cursor{}
}

// isListed reports whether cur is a statement in the list of a block or a
// clause, so that another statement can be put before it.
func isListed(cur inspector.Cursor) bool {
	switch cur.Node().(type) {
	case *ast.CaseClause, *ast.CommClause:
		return false
	}
	switch cur.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

// outermost returns the function declaration or literal around cur that no
// other function is around.
func outermost(cur inspector.Cursor) (fn inspector.Cursor) {
	for around := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		fn = around
	}
	return fn
}

// hasGoto reports whether the outermost function around cur has a goto
// statement.
func (p *Package) hasGoto(cur inspector.Cursor) bool {
	fn := outermost(cur)
	has, ok := p.gotos[fn.Node()]
	if !ok {
		for branch := range fn.Preorder((*ast.BranchStmt)(nil)) {
			has = has || branch.Node().(*ast.BranchStmt).Tok == token.GOTO
		}
		p.gotos[fn.Node()] = has
	}
	return has
}

// Comments returns the comments that lie within [start, end).
func (p *Package) Comments(start, end token.Pos) []*ast.Comment {
	if p.comments == nil {
		p.comments = []*ast.Comment{}
		for cur := range p.Root.Preorder((*ast.File)(nil)) {
			for _, group := range cur.Node().(*ast.File).Comments {
				p.comments = append(p.comments, group.List...)
			}
		}
		slices.SortFunc(p.comments, func(a, b *ast.Comment) int { return cmp.Compare(a.Pos(), b.Pos()) })
	}
	from, _ := slices.BinarySearchFunc(p.comments, start, func(c *ast.Comment, pos token.Pos) int {
		return cmp.Compare(c.Pos(), pos)
	})
	to := from
	for to < len(p.comments) && p.comments[to].End() <= end {
		to++
	}
	return p.comments[from:to]
}

// Statements yields the statements around cur, innermost first, that stand in a
// list of statements, so that lines can be put before them.
func Statements(cur inspector.Cursor) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		for ; cur.Node() != nil; cur = cur.Parent() {
			if isListed(cur) && !yield(cur.Node()) {
				return
			}
		}
	}
}
