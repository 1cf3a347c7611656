package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// frozenField reports whether e is a field x.f that has the same value before and
// after any other code of the call: f is unexported and nothing in its package
// assigns it or takes its address, x is a local variable that nobody else can
// change, and the call's receiver is reached through x as well, so that a nil x
// panics first in any order.
func (p *Package) frozenField(e ast.Expr, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || p.Info.Selections[sel] == nil || len(p.Info.Selections[sel].Index()) != 1 {
		return false
	}
	x, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || !p.unchanging(x, false) || p.Info.Uses[x] != p.root(call.Fun) {
		return false
	}
	field, ok := p.Info.Selections[sel].Obj().(*types.Var)
	return ok && field.IsField() && !field.Exported() && field.Pkg() == p.Types && !p.assignedFields()[field]
}

// root returns the variable that a path of fields starts from, or nil.
func (p *Package) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return p.Info.Uses[x]
		default:
			return nil
		}
	}
}

// assignedFields returns the fields of this package's structs that a statement of
// it changes or lets others change: by an assignment to the field or to a whole
// struct, or by taking the address of either.
func (p *Package) assignedFields() map[*types.Var]bool {
	if p.assigned != nil {
		return p.assigned
	}
	p.assigned = make(map[*types.Var]bool)
	assign := func(lhs ast.Expr) {
		lhs = ast.Unparen(lhs)
		if t := p.Info.TypeOf(lhs); t != nil {
			if s, ok := t.Underlying().(*types.Struct); ok {
				for i := 0; i < s.NumFields(); i++ {
					p.assigned[s.Field(i)] = true
				}
			}
		}
		for {
			switch e := lhs.(type) {
			case *ast.SelectorExpr:
				if sel := p.Info.Selections[e]; sel != nil {
					if field, ok := sel.Obj().(*types.Var); ok {
						p.assigned[field] = true
					}
				}
				lhs = ast.Unparen(e.X)
			case *ast.IndexExpr:
				lhs = ast.Unparen(e.X)
			default:
				return
			}
		}
	}
	nodes := []ast.Node{(*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)}
	p.Root.Inspect(nodes, func(c inspector.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE { // which makes a variable of its own
				for _, lhs := range n.Lhs {
					assign(lhs)
				}
			}
		case *ast.IncDecStmt:
			assign(n.X)
		case *ast.RangeStmt:
			for _, lhs := range []ast.Expr{n.Key, n.Value} {
				if lhs != nil {
					assign(lhs)
				}
			}
		case *ast.UnaryExpr:
			if _, ok := ast.Unparen(n.X).(*ast.CompositeLit); n.Op == token.AND && !ok {
				assign(n.X)
			}
		}
		return true
	})
	return p.assigned
}
