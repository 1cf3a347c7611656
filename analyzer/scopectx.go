package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
)

// scopeContext returns the name of the context that -ctx=scope has a call take:
// the innermost, last declared local variable of type context.Context. It is ""
// where that variable may be nil, or may be certain to be cancelled when the call
// runs, which would keep a message back that the old call published:
//
//   - The call is deferred, or in a goroutine or a function literal that may run
//     later, and the variable, or one that its context is made from, is from
//     outside: deferred calls run after a cancel that is deferred behind them. A
//     parameter of the literal will do, but for one that is deferred.
//   - What cancels the context is called before the call, if not in a defer
//     statement, or Done or Err tells that it is cancelled.
//   - The variable is declared without a value, or gets a nil or what a second
//     result says may not be there.
func (r *rewriter) scopeContext(call inspector.Cursor) string {
	v := r.names.contextVar(call.Node().Pos())
	if v == nil {
		return ""
	}
	home := homeOf(v, call)
	if !home.Valid() || deferredParameter(v, home) {
		return ""
	}
	s := &contextScan{info: r.pass.TypesInfo, call: call, home: home, of: map[types.Object]bool{v: true}, ends: make(map[types.Object]bool)}
	if s.unset(v) {
		return ""
	}
	for s.trace() {
	}
	if !onTheSpot(call, s.home) || s.ended() {
		return ""
	}
	return v.Name()
}

// homeOf returns the function around cur that declares v.
func homeOf(v *types.Var, cur inspector.Cursor) inspector.Cursor {
	for fn := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if fn.Node().Pos() <= v.Pos() && v.Pos() < fn.Node().End() {
			return fn
		}
	}
	return inspector.Cursor{}
}

// onTheSpot reports whether cur runs as part of the statements of home around it,
// and not later or beside them.
func onTheSpot(cur, home inspector.Cursor) bool {
	for ; cur != home; cur = cur.Parent() {
		switch cur.Node().(type) {
		case *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.FuncLit:
			if _, called := flow.Called(cur); !called {
				return false
			}
		}
	}
	return true
}

// deferredParameter reports whether v is a parameter of a literal that a defer
// statement calls.
func deferredParameter(v *types.Var, home inspector.Cursor) bool {
	lit, ok := home.Node().(*ast.FuncLit)
	if !ok || v.Pos() >= lit.Body.Pos() {
		return false
	}
	call, called := flow.Called(home)
	return called && call.ParentEdgeKind() == edge.DeferStmt_Call
}

// A contextScan looks through a function for what becomes of one of its contexts.
type contextScan struct {
	info       *types.Info
	call, home inspector.Cursor      // home is the function of all contexts
	of         map[types.Object]bool // the context and those that it is made from
	ends       map[types.Object]bool // what came with them and may cancel them
}

// object returns the variable or field that an expression names, or nil.
func (s *contextScan) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return s.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return s.info.ObjectOf(e.Sel)
	}
	return nil
}

// unset reports whether v may be nil: it is a result, or declared without a value,
// or some statement gives it one that may be none.
func (s *contextScan) unset(v *types.Var) bool {
	var results *ast.FieldList
	switch fn := s.home.Node().(type) {
	case *ast.FuncDecl:
		results = fn.Type.Results
	case *ast.FuncLit:
		results = fn.Type.Results
	}
	if results != nil && results.Pos() <= v.Pos() && v.Pos() < results.End() {
		return true
	}
	for cur := range s.home.Preorder((*ast.ValueSpec)(nil)) {
		if spec := cur.Node().(*ast.ValueSpec); len(spec.Values) == 0 &&
			slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return s.info.Defs[id] == v }) {
			return true
		}
	}
	for left, right := range s.assignments() {
		i := slices.IndexFunc(left, func(e ast.Expr) bool { return s.object(e) == v })
		if i < 0 {
			continue
		}
		if len(right) == len(left) {
			if s.info.Types[right[i]].IsNil() {
				return true
			}
		} else if _, call := ast.Unparen(right[0]).(*ast.CallExpr); !call {
			return true
		}
	}
	return false
}

// assignments yields both sides of the assignments and of the declarations with
// values in the function.
func (s *contextScan) assignments() func(yield func(left, right []ast.Expr) bool) {
	return func(yield func(left, right []ast.Expr) bool) {
		for cur := range s.home.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil)) {
			var left, right []ast.Expr
			switch n := cur.Node().(type) {
			case *ast.AssignStmt:
				left, right = n.Lhs, n.Rhs
			case *ast.ValueSpec:
				for _, id := range n.Names {
					left = append(left, id)
				}
				right = n.Values
			}
			if len(right) > 0 && !yield(left, right) {
				return
			}
		}
	}
}

// trace notes what the contexts are made from and what comes with them, and widens
// home to the functions that declare them. It reports whether there was anything
// new.
func (s *contextScan) trace() (more bool) {
	note := func(set map[types.Object]bool, obj types.Object) {
		if obj != nil && !set[obj] {
			set[obj] = true
			more = true
		}
	}
	for left, right := range s.assignments() {
		for i, e := range left {
			if !s.of[s.object(e)] {
				continue
			}
			from := right
			if len(right) == len(left) {
				from = right[i : i+1]
			} else {
				for j, other := range left {
					if j != i {
						note(s.ends, s.object(other))
					}
				}
			}
			for _, x := range from {
				ast.Inspect(x, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						if v, ok := s.info.Uses[id].(*types.Var); ok && isContext(v.Type()) {
							note(s.of, v)
							if home := homeOf(v, s.home); home.Valid() {
								s.home = home
							}
						}
					}
					return true
				})
			}
		}
	}
	return more
}

// ended reports whether something before the call cancels one of the contexts or
// tells that one is cancelled.
func (s *contextScan) ended() bool {
	for around := range s.call.Enclosing((*ast.IfStmt)(nil)) {
		if s.home.Contains(around) && s.tells(around.Node().(*ast.IfStmt)) {
			return true
		}
	}
	for cur := range s.home.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		end := s.object(call.Fun)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && !s.ends[end] {
			end = s.object(sel.X)
			waits := sel.Sel.Name == "Wait" && s.ends[end] // as that of an errgroup
			if !waits && !(sel.Sel.Name == "Done" && s.of[end] && s.received(cur)) {
				continue
			}
		} else if !s.ends[end] {
			continue
		}
		if onTheSpot(cur, s.home) && s.runsBefore(cur, end) {
			return true
		}
	}
	return false
}

// received reports whether a call of Done is waited for: in a select statement
// only its own case knows that.
func (s *contextScan) received(done inspector.Cursor) bool {
	recv, ok := done.Parent().Node().(*ast.UnaryExpr)
	if !ok || recv.Op != token.ARROW {
		return false
	}
	for clause := range done.Enclosing((*ast.CommClause)(nil)) {
		if comm := clause.Node().(*ast.CommClause).Comm; comm != nil && comm.Pos() <= recv.Pos() && recv.End() <= comm.End() {
			return clause.Contains(s.call)
		}
	}
	return true
}

// tells reports whether the call is in a branch that the Err of a context leads to.
func (s *contextScan) tells(n *ast.IfStmt) bool {
	in := func(branch ast.Node) bool {
		pos := s.call.Node().Pos()
		return branch.Pos() <= pos && pos < branch.End()
	}
	var op token.Token
	switch {
	case in(n.Body):
		op = token.NEQ
	case n.Else != nil && in(n.Else):
		op = token.EQL
	default:
		return false
	}
	asks, compares := false, false
	for _, part := range []ast.Node{n.Init, n.Cond} {
		if part == nil {
			continue
		}
		ast.Inspect(part, func(x ast.Node) bool {
			switch x := x.(type) {
			case *ast.SelectorExpr:
				asks = asks || x.Sel.Name == "Err" && s.of[s.object(x.X)]
			case *ast.BinaryExpr:
				compares = compares || x.Op == op
			}
			return true
		})
	}
	return asks && compares
}

// runsBefore reports whether cur may run before the call: it stands before it, or
// both are in a loop that does not declare anew what it ends the context with.
func (s *contextScan) runsBefore(cur inspector.Cursor, end types.Object) bool {
	if cur.Node().Pos() < s.call.Node().End() {
		return true
	}
	for loop := range cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if n := loop.Node(); s.home.Contains(loop) && loop.Contains(s.call) && !(n.Pos() <= end.Pos() && end.Pos() < n.End()) {
			return true
		}
	}
	return false
}
