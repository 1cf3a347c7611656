package flow

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Commute reports whether two operands of one call can be evaluated in either
// order without a difference: one of them is the same at any time and cannot
// panic, or neither has an effect and not both may panic, unless both can only
// find a nil pointer, which looks the same.
//
// A call that tells the time has no effect, but what comes before it may take
// long: it stays on its side of calls and receives.
func (p *Package) Commute(a, b ast.Expr) bool {
	if p.movable(a) || p.movable(b) {
		return true
	}
	if p.effects(a) || p.effects(b) {
		return false
	}
	return p.PanicAlike(a, b)
}

// PanicAlike reports whether it does not show which of two operands is evaluated
// first when both panic, their calls aside: one of them cannot, or both can only
// find a nil pointer.
func (p *Package) PanicAlike(a, b ast.Expr) bool {
	x, y := p.panics(a), p.panics(b)
	return x == cannotPanic || y == cannotPanic || x == nilPointer && y == nilPointer
}

// Loud reports whether e, its calls aside, may panic in another way than at a nil
// pointer.
func (p *Package) Loud(e ast.Expr) bool { return p.panics(e) == mayPanic }

// Late reports whether e is an operand that is read behind all calls beside it,
// wherever it stands among them: a variable, or what fields, pointers and
// elements of slices and arrays lead to from one, converted or not; and the
// negation and the comparison of such.
func (p *Package) Late(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.StarExpr:
		return p.Late(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.NOT && p.Late(x.X)
	case *ast.BinaryExpr:
		return p.comparesBasic(x) && p.lateOrConstant(x.X) && p.lateOrConstant(x.Y)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if _, ok := p.Info.Uses[id].(*types.PkgName); ok {
				return true
			}
		}
		sel := p.Info.Selections[x]
		return sel != nil && sel.Kind() == types.FieldVal && p.Late(x.X)
	case *ast.CallExpr:
		return p.Info.Types[x.Fun].IsType() && len(x.Args) == 1 && p.Late(x.Args[0]) &&
			types.Identical(p.Info.TypeOf(x).Underlying(), p.Info.TypeOf(x.Args[0]).Underlying())
	case *ast.IndexExpr:
		t := p.Info.TypeOf(x.X)
		if t == nil {
			return false
		}
		_, isMap := t.Underlying().(*types.Map)
		return !isMap && p.Late(x.X) && p.lateOrConstant(x.Index)
	}
	return false
}

func (p *Package) lateOrConstant(e ast.Expr) bool {
	return p.Info.Types[e].Value != nil || p.Late(e)
}

// comparesBasic reports whether e compares numbers, strings or bools.
func (p *Package) comparesBasic(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	basic := func(e ast.Expr) bool {
		_, ok := p.Info.TypeOf(e).Underlying().(*types.Basic)
		return ok
	}
	return basic(e.X) && basic(e.Y)
}

// Early reports whether the bool e is found in its place among the calls beside
// it, by a call, len, a receive, a type assertion, && or ||, or is the same at any
// time. A statement of its own before what else it commutes with changes nothing
// then, while it would read what is late before calls instead of behind them.
func (p *Package) Early(e ast.Expr) bool {
	if p.movable(e) {
		return true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.ARROW || x.Op == token.NOT && p.Early(x.X)
	case *ast.TypeAssertExpr:
		return true
	case *ast.BinaryExpr:
		return x.Op == token.LAND || x.Op == token.LOR || p.comparesBasic(x) && p.Early(x.X) && p.Early(x.Y)
	case *ast.CallExpr:
		if p.Info.Types[x.Fun].IsType() {
			return len(x.Args) == 1 && p.basic(x.Args[0]) && p.Early(x.Args[0])
		}
		id, ok := ast.Unparen(x.Fun).(*ast.Ident)
		if !ok {
			return true
		}
		b, ok := p.Info.Uses[id].(*types.Builtin)
		return !ok || b.Name() == "len" || b.Name() == "cap"
	}
	return false
}

// A panicking says how an expression may panic, its calls aside.
type panicking int

const (
	cannotPanic panicking = iota
	nilPointer            // at a nil pointer: always with the same words
	mayPanic              // in another way
)

// panics says how evaluating e may panic.
func (p *Package) panics(e ast.Expr) (how panicking) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case ast.Expr:
			if p.Info.Types[n].IsType() {
				return false
			}
			how = max(how, p.panicsAt(n))
		}
		return how != mayPanic
	})
	return how
}

// panicsAt says how the operation that e is may panic, its operands aside.
func (p *Package) panicsAt(e ast.Expr) panicking {
	loud := func(cond bool) panicking {
		if cond {
			return mayPanic
		}
		return cannotPanic
	}
	switch e := e.(type) {
	case *ast.StarExpr:
		return nilPointer
	case *ast.SelectorExpr:
		if sel := p.Info.Selections[e]; sel != nil && (sel.Indirect() || types.IsInterface(sel.Recv())) {
			return nilPointer
		}
	case *ast.IndexExpr:
		switch t := p.Info.TypeOf(e.X).Underlying().(type) {
		case *types.Map:
			return loud(!p.comparesQuietly(t.Key()))
		case *types.Array:
			return loud(p.Info.Types[e.Index].Value == nil)
		case *types.Signature:
			return cannotPanic
		}
		return mayPanic
	case *ast.SliceExpr:
		return loud(e.Low != nil || e.High != nil || isPointer(p.Info.TypeOf(e.X)))
	case *ast.TypeAssertExpr:
		return mayPanic
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return loud(p.Info.Types[e.Y].Value == nil)
		case token.EQL, token.NEQ:
			return loud(!p.comparesQuietly(p.Info.TypeOf(e.X)) || !p.comparesQuietly(p.Info.TypeOf(e.Y)))
		}
	case *ast.CompositeLit:
		if m, ok := p.Info.TypeOf(e).Underlying().(*types.Map); ok {
			return loud(!p.comparesQuietly(m.Key()))
		}
	case *ast.CallExpr:
		if fn := p.callee(e); fn != nil && clocks[fn.FullName()] {
			return cannotPanic
		}
		return loud(p.matters(e))
	}
	return cannotPanic
}
