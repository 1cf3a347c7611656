package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// varFacts is what may happen to a local variable besides being read.
type varFacts struct {
	init          ast.Expr // the value it is declared with, if that is one expression
	addressed     bool     // &v, a pointer method called on it, an array of it sliced
	assigned      int      // assignments after the declaration, to it or a part of it
	assignedInLit bool     // one of them in a function literal that does not declare it
	ranges        bool     // a range clause declares it
	read          int      // mentions that are no assignment and in no receiver of a creation
}

// facts returns what happens to v; the index is made on first use.
func (p *Package) facts(v *types.Var) *varFacts {
	if p.vars == nil {
		p.vars = make(map[*types.Var]*varFacts)
		p.indexVars()
	}
	f := p.vars[v]
	if f == nil {
		f = new(varFacts)
		p.vars[v] = f
	}
	return f
}

// keeping returns the local variable that id is, if it keeps the value that it is
// declared with; else nil.
func (p *Package) keeping(id *ast.Ident) *types.Var {
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return nil
	}
	if f := p.facts(v); f.assigned > 0 || f.addressed {
		return nil
	}
	return v
}

func (p *Package) indexVars() {
	assign := func(cur inspector.Cursor, e ast.Expr) {
		v := p.storage(e)
		if v == nil {
			return
		}
		f := p.facts(v)
		f.assigned++
		if _, whole := ast.Unparen(e).(*ast.Ident); whole {
			f.read--
		}
		fn := function(cur)
		f.assignedInLit = f.assignedInLit || fn.Valid() && (v.Pos() < fn.Node().Pos() || fn.Node().End() <= v.Pos())
	}
	address := func(e ast.Expr) {
		if v := p.storage(e); v != nil {
			p.facts(v).addressed = true
		}
	}
	declare := func(names []ast.Expr, values []ast.Expr) {
		if len(names) != len(values) {
			return
		}
		for i, name := range names {
			if id, ok := name.(*ast.Ident); ok {
				if v, ok := p.Info.Defs[id].(*types.Var); ok {
					p.facts(v).init = values[i]
				}
			}
		}
	}
	for cur := range p.Root.Preorder(
		(*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.RangeStmt)(nil), (*ast.ValueSpec)(nil),
		(*ast.UnaryExpr)(nil), (*ast.SliceExpr)(nil), (*ast.SelectorExpr)(nil), (*ast.Ident)(nil),
	) {
		switch n := cur.Node().(type) {
		case *ast.AssignStmt:
			declare(n.Lhs, n.Rhs)
			for _, lhs := range n.Lhs {
				assign(cur, lhs) // what := declares is in Defs, not in Uses
			}
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			declare(names, n.Values)
		case *ast.IncDecStmt:
			assign(cur, n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				switch id, ok := e.(*ast.Ident); {
				case e == nil:
				case n.Tok == token.ASSIGN:
					assign(cur, e)
				case ok:
					if v, ok := p.Info.Defs[id].(*types.Var); ok {
						p.facts(v).ranges = true
					}
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				address(n.X)
			}
		case *ast.SliceExpr:
			if t := p.Info.TypeOf(n.X); t != nil && isArray(t) {
				address(n.X)
			}
		case *ast.SelectorExpr:
			if sel := p.Info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				recv := sel.Obj().(*types.Func).Signature().Recv().Type()
				if isPointer(recv) && !isPointer(sel.Recv()) {
					address(n.X)
				}
			}
		case *ast.Ident:
			if v, ok := p.Info.Uses[n].(*types.Var); ok && !v.IsField() && !p.creates(cur) {
				p.facts(v).read++
			}
		}
	}
}

// creates reports whether the identifier is the receiver of a creation on the
// old channel, or the receiver is a path of fields that begins with it.
func (p *Package) creates(id inspector.Cursor) bool {
	for outer := outOfParens(id); outer.ParentEdgeKind() == edge.SelectorExpr_X; outer = outOfParens(outer.Parent()) {
		if call, ok := called(outer.Parent()); ok {
			create, refusal := p.create(call.Node().(ast.Expr))
			return create != nil && refusal == nil
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// storage returns the variable that e is, or is a part of by fields and array
// elements; nil when the storage is reached through a pointer, slice or map.
func (p *Package) storage(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := p.Info.Uses[x].(*types.Var)
			return v
		case *ast.SelectorExpr:
			if sel := p.Info.Selections[x]; sel == nil || sel.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if t := p.Info.TypeOf(x.X); t == nil || !isArray(t) {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}
