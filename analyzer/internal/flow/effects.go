package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

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

	"context.Background": true,
	"context.TODO":       true,
	withoutCancel:        true,
}

// withoutCancel panics if its argument is nil, as any use of a nil context does.
const withoutCancel = "context.WithoutCancel"

// clocks are the pure functions that tell the time.
var clocks = map[string]bool{
	"time.Now":   true,
	"time.Since": true,
	"time.Until": true,
}

// early are the pure functions, besides clocks, that matter when they are called:
// they may panic.
var early = map[string]bool{
	"time.Date":      true, // without a location
	"strings.Repeat": true, // a negative number of times
}

// numeral are the pure functions that panic for some values of an argument, with
// its index.
var numeral = map[string]int{
	"strconv.FormatInt":   1, // the base
	"strconv.FormatUint":  1,
	"strconv.FormatFloat": 3, // the size
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
// alone, and no package imported.
func (p *Package) droppable(e ast.Expr) bool {
	if p.lastUse(e) {
		return false
	}
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
// else can change. A call in it may tell the time or panic, and so should keep
// its place among the calls beside it.
func (p *Package) stable(e ast.Expr) bool { return p.unchanging(e, true) }

// movable reports whether e can be evaluated before or after other code without
// a difference: it is stable, cannot panic and does not tell the time.
func (p *Package) movable(e ast.Expr) bool { return p.unchanging(e, false) }

func (p *Package) unchanging(e ast.Expr, inPlace bool) bool {
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
		return sel != nil && sel.Kind() == types.FieldVal && !sel.Indirect() && p.unchanging(e.X, inPlace)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.unchanging(e.X, inPlace)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			if p.Info.Types[e.Y].Value == nil {
				return false // may panic
			}
		case token.EQL, token.NEQ:
			if !p.comparesQuietly(p.Info.TypeOf(e.X)) || !p.comparesQuietly(p.Info.TypeOf(e.Y)) {
				return false
			}
		}
		return p.unchanging(e.X, inPlace) && p.unchanging(e.Y, inPlace)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				if m, isMap := p.Info.TypeOf(e).Underlying().(*types.Map); isMap && !(p.comparesQuietly(m.Key()) && p.unchanging(kv.Key, inPlace)) {
					return false
				}
				elt = kv.Value
			}
			if !p.unchanging(elt, inPlace) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		if !p.computes(e) || !inPlace && p.matters(e) {
			return false
		}
		if fn := p.callee(e); fn != nil && fn.FullName() == withoutCancel {
			return p.unchanging(e.Args[0], inPlace) // it only keeps its argument
		}
		if p.Info.Types[e.Fun].IsType() && !p.basic(e.Args[0]) {
			return false // string(bytes) reads what others may write
		}
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && p.Info.Selections[sel] != nil && !(p.unchanging(sel.X, inPlace) && p.basic(sel.X)) {
			return false
		}
		for _, arg := range e.Args {
			if !p.Info.Types[arg].IsType() && !(p.unchanging(arg, inPlace) && p.basic(arg)) {
				return false
			}
		}
		return true
	}
	return false
}

// matters reports whether it matters when a call without effects is made: it
// tells the time, or may panic.
func (p *Package) matters(call *ast.CallExpr) bool {
	if tv := p.Info.Types[call.Fun]; tv.IsType() {
		_, toArray := tv.Type.Underlying().(*types.Array)
		return toArray
	}
	constants := func(args []ast.Expr) bool {
		return !slices.ContainsFunc(args, func(arg ast.Expr) bool { return p.Info.Types[arg].Value == nil })
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := p.Info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "make" && !constants(call.Args[1:])
		}
	}
	fn := p.callee(call)
	if fn == nil {
		return true
	}
	if i, ok := numeral[fn.FullName()]; ok {
		return len(call.Args) <= i || !constants(call.Args[i:i+1])
	}
	return clocks[fn.FullName()] || early[fn.FullName()]
}

// comparesQuietly reports whether values of the type can be compared without a
// panic: no interface, which may hold what has no order, is part of them.
func (p *Package) comparesQuietly(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return p.comparesQuietly(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !p.comparesQuietly(field.Type()) {
				return false
			}
		}
	}
	return true
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
		v := p.keeping(e)
		return v != nil && p.facts(v).init != nil && p.notNil(p.facts(v).init)
	}
	return false
}
