package flow

import (
	"go/ast"
	"go/types"
)

// endless are the functions of package context whose result is never done. Those
// that are true need a first argument which is not done either.
var endless = map[string]bool{
	"context.Background":    false,
	"context.TODO":          false,
	"context.WithoutCancel": false,
	"context.WithValue":     true,
}

// NeverDone reports whether e is certainly a context that is never done: what a
// function of package context returns, or a local variable that holds such a one
// from its declaration on.
func (p *Package) NeverDone(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := p.keeping(e)
		return v != nil && p.facts(v).init != nil && p.NeverDone(p.facts(v).init)
	case *ast.CallExpr:
		fn := p.callee(e)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		inherits, ok := endless[fn.FullName()]
		return ok && (!inherits || len(e.Args) > 0 && p.NeverDone(e.Args[0]))
	}
	return false
}

// PerhapsNil reports whether e is nil, or what is nil until somebody gives it a
// value: a variable of the package, or a field of a variable, or a local one that
// such a thing was put into. Of local variables it says so only where something else
// reads them, too, since they have to be used; all are the expressions that may be
// dropped together.
func (p *Package) PerhapsNil(e ast.Expr, all []ast.Expr) bool {
	e = ast.Unparen(e)
	if p.Info.Types[e].IsNil() {
		return true
	}
	root := e
	for {
		sel, ok := root.(*ast.SelectorExpr)
		if !ok {
			break
		}
		if selection := p.Info.Selections[sel]; selection == nil || selection.Kind() != types.FieldVal {
			return false
		}
		root = ast.Unparen(sel.X)
	}
	id, ok := root.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || v.Pkg() != p.Types {
		return false
	}
	switch init := p.facts(v).init; {
	case !isLocal(v):
		return true
	case v.Kind() != types.LocalVar:
		return root != e
	case root == e && (init == nil || !p.fromField(init)):
		return false
	}
	read := p.facts(v).read
	for _, other := range all {
		ast.Inspect(other, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && p.Info.Uses[id] == v {
				read--
			}
			return true
		})
	}
	return read > 0
}

// fromField reports whether e is a field, or a variable of the package.
func (p *Package) fromField(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		return ok && !isLocal(v)
	}
	return false
}
