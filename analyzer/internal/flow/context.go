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
		v, ok := p.Info.Uses[e].(*types.Var)
		if !ok || v.Kind() != types.LocalVar {
			return false
		}
		f := p.facts(v)
		return f.init != nil && f.assigned == 0 && !f.addressed && p.NeverDone(f.init)
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
// value: a variable of the package, or a field of one, of a parameter or of a
// receiver. Nothing else needs e to be there.
func (p *Package) PerhapsNil(e ast.Expr) bool {
	e = ast.Unparen(e)
	if p.Info.Types[e].IsNil() {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		return ok && !isLocal(v) && v.Pkg() == p.Types
	case *ast.SelectorExpr:
		if sel := p.Info.Selections[e]; sel == nil || sel.Kind() != types.FieldVal {
			return false
		}
		root := ast.Unparen(e.X)
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
		return ok && v.Kind() != types.LocalVar && v.Pkg() == p.Types // a local one has to be used
	}
	return false
}
