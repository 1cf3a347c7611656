package analyzer

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A form is what the message of a publish becomes.
type form struct {
	tier plan.Tier         // Native, Header or Whole
	core ast.Expr          // the message without parentheses and conversions
	lit  *ast.CompositeLit // Native: the literal, in the call or where a local variable is declared
	body *ast.KeyValueExpr // Native: its body element, nil if it has none
	typ  ast.Expr          // Native: the type that the variable is declared with, if any
}

// flagsForm is what the two flags of a publish become.
type flagsForm int

const (
	noFlags   flagsForm = iota // both are constant and false
	mandatory                  // newapi.Mandatory
	flagsIf                    // newapi.FlagsIf(mandatory, immediate)
)

// decide finds the form of a call, or why it has none.
func (f *publishFile) decide(c *publishCall) *flow.Refusal {
	c.flags = f.flagsOf(c)
	c.form = f.formOf(c)
	refusal := f.order(c)
	if refusal != nil {
		c.hoisted, c.hoistedFlags = "", "" // the names are free
	}
	return refusal
}

// order refuses a call that evaluates in another order in any form:
//
//	old: channel, ctx, exchange, key, mandatory, immediate, message
//	new: ctx, channel, exchange, key, message, mandatory, immediate
//
// Where the channel and the context are in the way of each other, the channel
// gets a statement of its own before, and where flags and the message are, the
// flags do: behind the channel, if that has one, and before what is between, if
// that may come behind them.
//
// A plain variable, a field or an element has no defined place among the calls of
// an expression, in the old call as in the new; only calls and receives have. So
// a channel that such a call replaces or that is found through a nil pointer may
// be looked at before the call or after it, as in any other call.
func (f *publishFile) order(c *publishCall) *flow.Refusal {
	if c.ctx != nil && f.passes(c.sel.X, c.ctx) && f.on("context-moves") && !f.hoist(c) {
		return &flow.Refusal{
			Category: plan.OrderOfEffects,
			Why:      fmt.Sprintf("%s would be evaluated after %s instead of before", flow.Short(c.sel.X), flow.Short(c.ctx)),
			At:       c.ctx,
			Note:     "evaluated after the channel today, before it in newapi." + c.method.Function(),
		}
	}
	refusal := f.stuck(c)
	if refusal == nil || !f.on("flags-move") || f.hoistFlags(c) {
		return nil
	}
	return refusal
}

// stuck refuses a flag that may not move behind a part of the message. What is
// late in a literal still is when a flag comes behind it, but newapi.Header reads
// in its place. So does newapi.FlagsIf: an element that is none must not panic
// before what comes before it does.
func (f *publishFile) stuck(c *publishCall) *flow.Refusal {
	if c.flags == noFlags {
		return nil
	}
	for _, flag := range []ast.Expr{c.mandatory, c.immediate} {
		for _, e := range f.message(c) {
			if !f.flow.Commute(flag, e) && !f.late(flag, e) && (c.form.tier == plan.Header || !f.late(e, flag)) {
				return &flow.Refusal{
					Category: plan.OrderOfEffects,
					Why:      fmt.Sprintf("%s would be evaluated after %s instead of before", flow.Short(flag), flow.Short(e)),
					At:       flag,
					Note:     "evaluated before the message today, after it in newapi." + c.method.Function(),
				}
			}
		}
		for _, e := range []ast.Expr{c.sel.X, c.ctx, c.exchange, c.key} {
			if e != nil && f.flow.Late(flag) && f.flow.Loud(flag) && f.flow.Late(e) && !f.flow.PanicAlike(flag, e) {
				return &flow.Refusal{
					Category: plan.OrderOfEffects,
					Why:      fmt.Sprintf("%s would be evaluated before %s instead of after", flow.Short(flag), flow.Short(e)),
					At:       flag,
					Note:     "evaluated in newapi." + oldapi.NewFlagsIf + ", which is called first",
				}
			}
		}
	}
	return nil
}

// late reports whether an operand is read behind the calls of another one,
// whichever comes first, and no panic tells which did.
func (f *publishFile) late(e, other ast.Expr) bool {
	return f.flow.Late(e) && f.flow.PanicAlike(e, other) && f.on("late")
}

// passes reports whether a channel with an effect shows that the context is
// evaluated before instead of after it.
func (f *publishFile) passes(channel, ctx ast.Expr) bool {
	return f.flow.Effects(channel) && !f.flow.Late(ctx) && !f.flow.Commute(channel, ctx)
}

// message returns the expressions that the message is made of.
func (f *publishFile) message(c *publishCall) (list []ast.Expr) {
	lit, ok := c.form.core.(*ast.CompositeLit)
	if !ok {
		list = append(list, c.form.core)
		if c.form.body != nil {
			list = append(list, c.form.body.Value)
		}
		return list
	}
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		list = append(list, elt)
	}
	return list
}

// hoist lets the channel be evaluated by a statement of its own before the one
// with the call, if that has no other effect. It reports whether it can be.
func (f *publishFile) hoist(c *publishCall) bool {
	if !f.on("hoist") || !f.roomBefore(c) {
		return false
	}
	c.hoisted = f.fresh(c, "ch")
	return true
}

// hoistFlags lets the flags be evaluated by a statement of their own before the
// one with the call, if each of them is found in its place today, and all but the
// message may come behind them; a channel that may not is hoisted too. It reports
// whether they can be.
func (f *publishFile) hoistFlags(c *publishCall) bool {
	if !f.on("hoist-flags") || !f.roomBefore(c) {
		return false
	}
	channel := false // has to stay before the flags
	for _, flag := range []ast.Expr{c.mandatory, c.immediate} {
		start, end := f.pass.Fset.File(flag.Pos()).Line(flag.Pos()), f.pass.Fset.File(flag.Pos()).Line(flag.End())
		if !f.flow.Early(flag) && f.on("hoist-early") || start != end {
			return false
		}
		for _, e := range []ast.Expr{c.ctx, c.exchange, c.key} {
			if e != nil && !f.flow.Late(e) && !f.flow.Commute(flag, e) && f.on("hoist-order") {
				return false
			}
		}
		channel = channel || f.flow.Effects(c.sel.X) && !f.flow.Commute(flag, c.sel.X)
	}
	if channel && c.hoisted == "" && !f.hoist(c) {
		return false
	}
	c.hoistedFlags = f.fresh(c, "flags")
	return true
}

// roomBefore finds the statement that another one can go before. It reports
// whether there is one.
func (f *publishFile) roomBefore(c *publishCall) bool {
	stmt, first := f.flow.First(c.cur)
	if !first || f.flow.HasGoto(c.cur) || !f.startsLine(stmt.Node().Pos()) {
		return false
	}
	c.before = stmt.Node().Pos()
	return true
}

// fresh returns the name, with a number if it has another meaning in the function
// around the call.
func (f *publishFile) fresh(c *publishCall, name string) string {
	function := flow.Outermost(c.cur)
	used := make(map[string]bool)
	for cur := range function.Preorder((*ast.Ident)(nil)) {
		id := cur.Node().(*ast.Ident)
		if v, ok := f.pass.TypesInfo.ObjectOf(id).(*types.Var); !ok || !v.IsField() {
			used[id.Name] = true
		}
	}
	for _, other := range f.calls {
		if function.Contains(other.cur) {
			used[other.hoisted] = true
			used[other.hoistedFlags] = true
		}
	}
	for _, imp := range f.names.imports {
		used[imp.Name()] = true
	}
	numbered := name
	for i := 2; used[numbered]; i++ {
		numbered = fmt.Sprintf("%s%d", name, i)
	}
	return numbered
}

// startsLine reports whether nothing but white space stands before pos on its
// line.
func (f *publishFile) startsLine(pos token.Pos) bool {
	offset := f.pass.Fset.File(pos).Offset(pos)
	line := f.src[bytes.LastIndexByte(f.src[:offset], '\n')+1 : offset]
	return len(bytes.TrimSpace(line)) == 0
}

// flagsOf says what becomes of the flags.
func (f *publishFile) flagsOf(c *publishCall) flagsForm {
	m, i := f.constant(c.mandatory), f.constant(c.immediate)
	switch {
	case m == nil || i == nil:
		return flagsIf
	case !constant.BoolVal(m) && !constant.BoolVal(i) && f.on("false"):
		return noFlags
	case constant.BoolVal(m) && !constant.BoolVal(i) && f.on("mandatory"):
		return mandatory
	}
	return flagsIf
}

func (f *publishFile) constant(e ast.Expr) constant.Value { return f.flow.Constant(e) }

// formOf finds the best form of the message.
//
//	ch.Publish(ex, key, m, i, amqp.Publishing{Type: t, Body: b}) => newapi.BasicPublish(ctx, ch, ex, key, newapi.BasicProperties{Type: t}, b)
//	ch.Publish(ex, key, m, i, msg)                               => newapi.BasicPublish(ctx, ch, ex, key, amqp.Header(msg), msg.Body)
//	ch.Publish(ex, key, m, i, *msg)                              => newapi.BasicPublish(ctx, ch, ex, key, amqp.Header(*msg), msg.Body)
//	ch.Publish(ex, key, m, i, message())                         => amqp.BasicPublish(ctx, ch, ex, key, message())
func (f *publishFile) formOf(c *publishCall) form {
	core := f.core(c.msg)
	whole := form{tier: plan.Whole, core: core}
	switch e := core.(type) {
	case *ast.CompositeLit:
		if native, ok := f.literal(c, e); ok {
			native.core = core
			return native
		}
		return whole
	case *ast.Ident:
		if native, ok := f.local(c, e); ok {
			native.core = core
			return native
		}
	case *ast.StarExpr:
		if f.isPath(e.X) && isStructPointer(f.pass.TypesInfo.TypeOf(e.X)) && f.on("pointer") {
			return form{tier: plan.Header, core: core}
		}
		return whole
	}
	if f.isPath(core) && f.on("path") {
		return form{tier: plan.Header, core: core}
	}
	return whole
}

func isStructPointer(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = ptr.Elem().Underlying().(*types.Struct)
	return ok
}

// core returns the message without parentheses, and without conversions from
// types whose structs are that of the message.
func (f *publishFile) core(e ast.Expr) ast.Expr {
	for {
		e = ast.Unparen(e)
		call, ok := e.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !f.pass.TypesInfo.Types[call.Fun].IsType() || !f.on("conversion") {
			return e
		}
		inner := f.pass.TypesInfo.TypeOf(call.Args[0])
		if inner == nil || !types.Identical(inner.Underlying(), f.pass.TypesInfo.TypeOf(e).Underlying()) {
			return e
		}
		e = call.Args[0]
	}
}

// isPath reports whether e is a variable or a field reached from one, by
// selectors only: evaluating it twice is evaluating it once.
func (f *publishFile) isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		_, ok := f.pass.TypesInfo.Uses[e].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		if _, ok := f.pass.TypesInfo.Uses[e.Sel].(*types.Var); !ok {
			return false
		}
		if f.pass.TypesInfo.Selections[e] == nil {
			return true // of a package
		}
		if star, ok := ast.Unparen(e.X).(*ast.StarExpr); ok {
			return f.isPath(star.X)
		}
		return f.isPath(e.X)
	}
	return false
}

// literal returns the native form of a literal. It has none without keys, or if
// its body would be evaluated after another effect instead of before.
func (f *publishFile) literal(c *publishCall, lit *ast.CompositeLit) (form, bool) {
	native, ok := f.split(lit)
	if !ok || !f.on("literal") {
		return form{}, false
	}
	if native.body == nil {
		return native, f.nilAt(c) && f.on("no-body")
	}
	body := native.body.Value
	for _, elt := range lit.Elts {
		if elt.Pos() <= native.body.Pos() || !f.on("body-moves") {
			continue
		}
		value := elt.(*ast.KeyValueExpr).Value
		if !f.flow.Commute(body, value) && !f.late(body, value) && !f.late(value, body) {
			return form{}, false
		}
	}
	return native, true
}

// nilAt reports whether nil means nil at the call.
func (f *publishFile) nilAt(c *publishCall) bool { return f.names.universal("nil", c.call.Pos()) }

// split finds the body in a literal with keys.
func (f *publishFile) split(lit *ast.CompositeLit) (form, bool) {
	native := form{tier: plan.Native, lit: lit}
	if lit.Type == nil {
		return form{}, false
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return form{}, !f.on("unkeyed")
		}
		if kv.Key.(*ast.Ident).Name == oldapi.PublishingBody {
			native.body = kv
		}
	}
	return native, true
}

// local returns the native form of a variable that is declared with a literal,
// and named nowhere but in this call. The literal stays, as properties; the body
// moves to the call. It must be the same there:
//
//   - if it is made of constants and of variables that are never assigned again,
//     it is, wherever the call stands;
//   - else the call has to be the first thing that happens in the next statement,
//     so that nothing comes between but what is behind it in the literal and before
//     it in the call, and each of these may come before or after it.
func (f *publishFile) local(c *publishCall, id *ast.Ident) (form, bool) {
	if !f.on("local") {
		return form{}, false
	}
	v, ok := f.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Kind() != types.LocalVar || !f.flow.Untouched(v) || f.flow.Reads(v) != 1 {
		return form{}, false
	}
	decl, lit, typ := f.declaration(v)
	if lit == nil {
		return form{}, false
	}
	native, ok := f.split(lit)
	if !ok {
		return form{}, false
	}
	native.typ = typ
	if native.body == nil {
		return native, f.nilAt(c)
	}
	if f.on("local-names") && !f.sameNames(native.body.Value, c.call.Pos()) {
		return form{}, false
	}
	if !f.on("local-order") {
		return native, true
	}
	if f.flow.Fixed(native.body.Value) {
		return native, true
	}
	stmt, first := f.flow.First(c.cur)
	if !first || !follows(decl, stmt) {
		return form{}, false
	}
	between := []ast.Expr{c.sel.X, c.exchange, c.key, c.mandatory, c.immediate}
	if c.ctx != nil {
		between = append(between, c.ctx)
	}
	for _, elt := range lit.Elts {
		if elt.Pos() > native.body.Pos() {
			between = append(between, elt.(*ast.KeyValueExpr).Value)
		}
	}
	for _, e := range between {
		if !f.flow.Commute(native.body.Value, e) {
			return form{}, false
		}
	}
	return native, true
}

// declaration returns the statement that declares v and nothing else, the literal
// that it is declared with and its type, if that is written.
func (f *publishFile) declaration(v *types.Var) (stmt inspector.Cursor, lit *ast.CompositeLit, typ ast.Expr) {
	def, ok := f.flow.Root.FindByPos(v.Pos(), v.Pos()+token.Pos(len(v.Name())))
	if !ok {
		return
	}
	var value ast.Expr
	parent := def.Parent()
	switch n := parent.Node().(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
			return
		}
		stmt, value = parent, n.Rhs[0]
	case *ast.ValueSpec:
		if len(n.Names) != 1 || len(n.Values) != 1 {
			return
		}
		stmt, value, typ = parent.Parent().Parent(), n.Values[0], n.Type
	default:
		return
	}
	lit, _ = ast.Unparen(value).(*ast.CompositeLit)
	return stmt, lit, typ
}

// follows reports whether next is the statement after stmt in one list.
func follows(stmt, next inspector.Cursor) bool {
	switch stmt.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return false
	}
	after, ok := stmt.NextSibling()
	return ok && after == next
}

// sameNames reports whether what e names means the same at pos.
func (f *publishFile) sameNames(e ast.Expr, pos token.Pos) bool {
	same := true
	selected := make(map[*ast.Ident]bool)
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := f.pass.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() {
					selected[id] = true
				}
			}
		case *ast.Ident:
			obj := f.pass.TypesInfo.Uses[n]
			if obj == nil || selected[n] || e.Pos() <= obj.Pos() && obj.Pos() < e.End() {
				return true
			}
			same = same && f.names.lookup(n.Name, pos) == obj
		}
		return true
	})
	return same
}
