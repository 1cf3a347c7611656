package shim

import (
	"go/ast"
	"go/types"
	"reflect"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// expr adds an expression, a type or a simple statement to the group. The bodies
// of function literals in it are statements of their own.
func (g *group) expr(n ast.Node) {
	if n == nil || reflect.ValueOf(n).IsNil() {
		return
	}
	c := g.c
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			g.expr(n.Type)
			sign, _ := c.info.TypeOf(n).(*types.Signature)
			c.stmt(n.Body, result{lit: n.Type, sign: sign})
			return false
		case *ast.StructType:
			c.fields(nil, n)
			for _, f := range n.Fields.List {
				g.expr(f.Type)
			}
			return false
		case *ast.Ident:
			// The name of an embedded field is defined and used, as that of its type.
			g.object(c.info.Defs[n], n.Pos())
			g.object(c.info.Uses[n], n.Pos())
		case *ast.SelectorExpr:
			if c.on("promoted-names") {
				c.promotedName(n)
			}
		case *ast.CallExpr:
			g.call(n)
		case *ast.CompositeLit:
			g.literal(n)
		case *ast.TypeAssertExpr:
			if n.Type != nil && c.on("assertions") {
				g.open(n.X, n.Type)
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					g.box(c.info.TypeOf(n.Lhs[i]), n.Rhs[i])
				}
			}
		case *ast.SendStmt:
			if ch, ok := typeOf[*types.Chan](c.info, n.Chan); ok {
				g.box(ch.Elem(), n.Value)
			}
		}
		if e, ok := n.(ast.Expr); ok {
			g.expression(e)
		}
		return true
	})
}

func typeOf[T types.Type](info *types.Info, e ast.Expr) (t T, ok bool) {
	if typ := info.TypeOf(e); typ != nil {
		t, ok = typ.Underlying().(T)
	}
	return t, ok
}

// expression notes an expression's type: an interface in the group concerns the
// methods of all others.
func (g *group) expression(e ast.Expr) {
	t := g.c.info.TypeOf(e)
	if t == nil {
		return
	}
	g.exprs = append(g.exprs, e)
	if types.IsInterface(t) && len(g.c.mentions(t)) > 0 {
		g.iface = true
	}
}

// call adds what the arguments of a call become, and for a conversion of structs
// their fields.
func (g *group) call(call *ast.CallExpr) {
	info := g.c.info
	if info.Types[call.Fun].IsType() {
		to := info.TypeOf(call.Fun)
		for _, arg := range call.Args {
			g.box(to, arg)
			if g.c.on("conversions") {
				g.structs(to, info.TypeOf(arg))
			}
		}
		return
	}
	sig, ok := typeOf[*types.Signature](info, call.Fun)
	if !ok {
		g.builtin(call)
		return
	}
	params := sig.Params()
	for i, arg := range call.Args {
		switch {
		case sig.Variadic() && i >= params.Len()-1 && !call.Ellipsis.IsValid():
			if slice, ok := params.At(params.Len() - 1).Type().Underlying().(*types.Slice); ok {
				g.box(slice.Elem(), arg)
			}
		case i < params.Len():
			g.box(params.At(i).Type(), arg)
		}
	}
}

// builtin adds what append puts into a slice.
func (g *group) builtin(call *ast.CallExpr) {
	if len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return
	}
	if slice, ok := typeOf[*types.Slice](g.c.info, call.Args[0]); ok {
		for _, arg := range call.Args[1:] {
			g.box(slice.Elem(), arg)
		}
	}
}

// structs adds the fields of two struct types that are converted into each other.
func (g *group) structs(a, b types.Type) {
	if _, module := oldapi.ModuleOf(typePath(a)); module {
		return
	}
	for _, t := range []types.Type{a, b} {
		if t == nil {
			continue
		}
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if s, ok := t.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				g.object(f, f.Pos())
			}
		}
	}
}

// literal adds the fields of a literal without keys, and what elements become.
func (g *group) literal(lit *ast.CompositeLit) {
	t := g.c.info.TypeOf(lit)
	if t == nil {
		return
	}
	u := t.Underlying()
	if ptr, ok := u.(*types.Pointer); ok {
		u = ptr.Elem().Underlying()
	}
	for i, elt := range lit.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		switch u := u.(type) {
		case *types.Struct:
			switch {
			case !keyed:
				if g.c.on("unkeyed") {
					g.object(u.Field(i), elt.Pos())
				}
				g.box(u.Field(i).Type(), elt)
			default:
				if id, ok := kv.Key.(*ast.Ident); ok && g.c.info.Uses[id] != nil {
					g.box(g.c.info.Uses[id].Type(), kv.Value)
				}
			}
		case *types.Map:
			if keyed {
				g.box(u.Key(), kv.Key)
				g.box(u.Elem(), kv.Value)
			}
		case interface{ Elem() types.Type }: // slice, array
			if keyed {
				elt = kv.Value
			}
			g.box(u.Elem(), elt)
		}
	}
}

// box notes that a value becomes an interface.
func (g *group) box(to types.Type, value ast.Expr) {
	from := g.c.info.TypeOf(value)
	if to == nil || from == nil || !types.IsInterface(to) || types.IsInterface(from) {
		return
	}
	if _, ok := types.Unalias(to).(*types.TypeParam); ok {
		return
	}
	_, function := from.Underlying().(*types.Signature)
	for _, name := range g.c.mentions(from) {
		g.c.facts.Boxes = append(g.c.facts.Boxes, Box{Node: g.anchor(), Type: name, Any: isAny(to), Function: function && isAny(to) && g.c.on("reflection")})
	}
}

// open notes that an interface is asked for a type.
func (g *group) open(operand, t ast.Expr) {
	from, to := g.c.info.TypeOf(operand), g.c.info.TypeOf(t)
	if from == nil || to == nil {
		return
	}
	for _, name := range g.c.mentions(to) {
		g.c.facts.Opens = append(g.c.facts.Opens, Open{Node: g.anchor(), Type: name, Any: isAny(from)})
	}
}
