package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// pure are functions and methods that only compute from their arguments, or
// whose result nothing in the program can influence.
var pure = map[string]bool{
	"time.Now":       true,
	"time.Unix":      true,
	"time.UnixMilli": true,
	"time.UnixMicro": true,
	"time.Date":      true,
	"time.Since":     true,
	"time.Until":     true,

	"(time.Time).UTC":       true,
	"(time.Time).Local":     true,
	"(time.Time).Add":       true,
	"(time.Time).AddDate":   true,
	"(time.Time).Sub":       true,
	"(time.Time).Truncate":  true,
	"(time.Time).Round":     true,
	"(time.Time).Unix":      true,
	"(time.Time).UnixMilli": true,
	"(time.Time).UnixNano":  true,
	"(time.Time).Format":    true,
	"(time.Time).String":    true,

	"(time.Duration).String":       true,
	"(time.Duration).Seconds":      true,
	"(time.Duration).Milliseconds": true,

	"strconv.Itoa":        true,
	"strconv.FormatInt":   true,
	"strconv.FormatUint":  true,
	"strconv.FormatBool":  true,
	"strconv.FormatFloat": true,
	"strconv.Quote":       true,

	"strings.ToLower":    true,
	"strings.ToUpper":    true,
	"strings.TrimSpace":  true,
	"strings.TrimPrefix": true,
	"strings.TrimSuffix": true,
	"strings.ReplaceAll": true,
	"strings.Repeat":     true,
}

// computing are the builtins that neither change nor print anything.
var computing = map[string]bool{
	"cap": true, "complex": true, "imag": true, "len": true, "make": true,
	"max": true, "min": true, "new": true, "real": true,
}

// effects reports whether evaluating e may call a function or receive from a
// channel. Conversions, computing builtins and pure functions do not count; a
// function literal that is not called does nothing.
func (p *Package) effects(e ast.Node) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || !p.computes(n)
		}
		return !found
	})
	return found
}

// ordered reports whether the language orders e, or a part of it, among the
// calls beside it: it has a call or a receive, with or without effects.
func (p *Package) ordered(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			if p.Info.Types[n.Fun].IsType() || p.Info.Types[n.Fun].IsBuiltin() {
				break
			}
			found = true
		}
		return !found
	})
	return found
}

// computes reports whether the call itself, its arguments aside, has no effect.
func (p *Package) computes(call *ast.CallExpr) bool {
	if p.Info.Types[call.Fun].IsType() {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := p.Info.Uses[id].(*types.Builtin); ok {
			return computing[b.Name()]
		}
	}
	if fn := p.callee(call); fn != nil {
		if fn.Pkg() != nil && pure[fn.FullName()] {
			return true
		}
		return isOld(fn) && p.reads(call)
	}
	return false
}

// reads reports whether the call is a getter of a value that was made by
// CreateBasicProperties, and not by a type of the user's own.
func (p *Package) reads(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || !isProperties(v.Type()) {
		return false
	}
	switch method, ok := oldapi.Methods[sel.Sel.Name]; {
	case !ok:
		return false
	case method.Role == oldapi.Get, method.Role == oldapi.Present,
		method.Role == oldapi.GetPersistent, method.Role == oldapi.GetAddress:
		_, create, refusal := p.origin(v, p.mentionsOf(v))
		return create != nil && refusal == nil
	}
	return false
}

// droppable reports whether e can be left out: it has no effects, cannot panic
// but for a nil pointer on a field path, and no variable is declared for it
// alone.
func (p *Package) droppable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		if !ok || v.Kind() != types.LocalVar {
			return true
		}
		return p.facts(v).read > 0
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if _, ok := p.Info.Uses[id].(*types.PkgName); ok {
				return true
			}
		}
		return p.droppable(e.X)
	}
	return false
}

// stable reports whether e has the same value whatever other code does
// meanwhile: it is built from constants and from local variables that nobody
// else can change.
func (p *Package) stable(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv := p.Info.Types[e]; tv.Value != nil || tv.IsNil() {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		if !ok || !isLocal(v) {
			return false
		}
		f := p.facts(v)
		return !f.addressed && !f.assignedInLit
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() && p.stable(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.stable(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			if !p.isConstant(e.Y) {
				return false // may panic
			}
		}
		return p.stable(e.X) && p.stable(e.Y)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				if _, isMap := p.Info.TypeOf(e).Underlying().(*types.Map); isMap && !p.stable(kv.Key) {
					return false
				}
				elt = kv.Value
			}
			if !p.stable(elt) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		if !p.computes(e) {
			return false
		}
		if p.Info.Types[e.Fun].IsType() && !p.basic(e.Args[0]) {
			return false // string(bytes) reads what others may write
		}
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && p.Info.Selections[sel] != nil && !(p.stable(sel.X) && p.basic(sel.X)) {
			return false
		}
		for _, arg := range e.Args {
			if !p.Info.Types[arg].IsType() && !(p.stable(arg) && p.basic(arg)) {
				return false
			}
		}
		return true
	}
	return false
}

// basic reports whether e's value is held by e itself: a number, a string, a
// bool, or a struct such as time.Time, but no slice, map or pointer.
func (p *Package) basic(e ast.Expr) bool {
	t := p.Info.TypeOf(e)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct:
		return true
	}
	return false
}

// isLocal reports whether v is a local variable, a parameter or a result.
func isLocal(v *types.Var) bool {
	switch v.Kind() {
	case types.LocalVar, types.ParamVar, types.RecvVar, types.ResultVar:
		return true
	}
	return false
}

// notNil reports whether e is a map that is certainly not nil.
func (p *Package) notNil(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if p.Info.Types[e.Fun].IsType() {
			return len(e.Args) == 1 && p.notNil(e.Args[0])
		}
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			b, ok := p.Info.Uses[id].(*types.Builtin)
			return ok && b.Name() == "make"
		}
	case *ast.Ident:
		v, ok := p.Info.Uses[e].(*types.Var)
		if !ok || v.Kind() != types.LocalVar {
			return false
		}
		f := p.facts(v)
		return !f.addressed && f.assigned == 0 && f.init != nil && p.notNil(f.init)
	}
	return false
}
