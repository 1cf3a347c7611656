package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A publishCall is a mention of a channel's publish method.
type publishCall struct {
	cur    inspector.Cursor // the call, or the selector of a method that is not called
	sel    *ast.SelectorExpr
	call   *ast.CallExpr // nil where the method is not called
	method oldapi.Publish
	owner  string // import path of the package of the channel; "" behind an interface
	path   []string
	star   bool // the channel is no pointer, and its address has to be taken

	ctx, exchange, key, mandatory, immediate, msg ast.Expr // ctx is nil if the method takes none

	hoisted      string    // variable that gets the channel in a statement of its own
	hoistedFlags string    // variable that gets the flags in one
	before       token.Pos // the statement that they go before

	form    form
	flags   flagsForm
	refusal *flow.Refusal
	unit    *unit
	plan    plan.Site
}

// index returns the place of the mandatory argument.
func (c *publishCall) index() int {
	if c.method.Ctx {
		return 3
	}
	return 2
}

// calls yields the publishes in a file, in source order of their selectors. They
// are told by type: by the channel whose method it is or, behind an interface, by
// the method's name and signature.
func (f *publishFile) find(file inspector.Cursor) iter.Seq[*publishCall] {
	return func(yield func(*publishCall) bool) {
		for cur := range file.Preorder((*ast.SelectorExpr)(nil)) {
			if c := f.match(cur); c != nil && !yield(c) {
				return
			}
		}
	}
}

func (f *publishFile) match(cur inspector.Cursor) *publishCall {
	sel := cur.Node().(*ast.SelectorExpr)
	method, ok := oldapi.Publishes[sel.Sel.Name]
	if !ok {
		return nil
	}
	selection := f.pass.TypesInfo.Selections[sel]
	if selection == nil {
		return nil // a function of some package
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok {
		return nil // a field
	}
	c := &publishCall{cur: cur, sel: sel, method: method}
	if recv := fn.Signature().Recv().Type(); types.IsInterface(recv) {
		if !publishSignature(fn.Signature(), method) {
			return nil
		}
	} else if c.owner = channelOwner(recv); c.owner == "" && f.on("by-type") {
		return nil // some type's own method
	}

	call, isCall := flow.Called(cur)
	if isCall {
		c.cur, c.call = call, call.Node().(*ast.CallExpr)
	}
	if c.refusal = f.receiver(c, selection, fn); c.refusal != nil {
		return c
	}
	args := c.call.Args
	if method.Ctx {
		c.ctx = args[0]
		args = args[1:]
	}
	c.exchange, c.key, c.mandatory, c.immediate, c.msg = args[0], args[1], args[2], args[3], args[4]
	return c
}

// channelOwner returns the import path of the package of which t is the channel
// or a pointer to it, "" if it is none.
func channelOwner(t types.Type) string {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Name() != oldapi.ChannelType || named.Obj().Pkg() == nil {
		return ""
	}
	path := named.Obj().Pkg().Path()
	if _, old := oldapi.ModuleOf(path); old || path == oldapi.Compat091 {
		return path
	}
	return ""
}

// publishSignature reports whether sig is that of the method, of whatever module.
func publishSignature(sig *types.Signature, method oldapi.Publish) bool {
	want := []func(types.Type) bool{isString, isString, isBool, isBool, isPublishing}
	if method.Ctx {
		want = append([]func(types.Type) bool{isContext}, want...)
	}
	if sig.Params().Len() != len(want) {
		return false
	}
	for i, is := range want {
		if !is(sig.Params().At(i).Type()) {
			return false
		}
	}
	return true
}

func isString(t types.Type) bool { return types.Identical(t, types.Typ[types.String]) }
func isBool(t types.Type) bool   { return types.Identical(t, types.Typ[types.Bool]) }

// isPublishing reports whether t is the message of one of the modules.
func isPublishing(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Name() != oldapi.PublishingType || named.Obj().Pkg() == nil {
		return false
	}
	_, old := oldapi.ModuleOf(named.Obj().Pkg().Path())
	return old
}

// receiver finds the channel, or says why there is none to name.
func (f *publishFile) receiver(c *publishCall, selection *types.Selection, fn *types.Func) *flow.Refusal {
	recv := types.Unalias(selection.Recv())
	elem := recv
	if ptr, ok := recv.(*types.Pointer); ok {
		elem = types.Unalias(ptr.Elem())
	}
	name := types.TypeString(recv, func(p *types.Package) string { return p.Name() })
	if param, ok := elem.(*types.TypeParam); ok && f.on("type-parameter") {
		return &flow.Refusal{
			Category: plan.TypeParameter,
			Why:      fmt.Sprintf("the receiver is of the type parameter %s", name),
			At:       flow.At(param.Obj()),
			Note:     "the type parameter",
		}
	}
	if c.owner == "" && f.on("user-interface") {
		return &flow.Refusal{
			Category: plan.UserInterface,
			Why:      fmt.Sprintf("the call goes through the interface %s", interfaceName(fn, name)),
			At:       flow.At(fn),
			Note:     "the method of the interface",
		}
	}
	if c.call == nil || selection.Kind() != types.MethodVal {
		if f.on("method-value") {
			return &flow.Refusal{
				Category: plan.MethodValue,
				Why:      fmt.Sprintf("%s is used as a value", flow.Short(c.sel)),
			}
		}
		return &flow.Refusal{Category: plan.Escapes}
	}
	if want := oldapi.PublishWithout; len(c.call.Args) != want && !(c.method.Ctx && len(c.call.Args) == want+1) {
		return &flow.Refusal{
			Category: plan.CreatedElsewhere,
			Why:      fmt.Sprintf("all arguments come from %s", flow.Short(c.call.Args[0])),
			Hint:     "put its results into variables first",
		}
	}
	return f.promotion(c, selection)
}

func interfaceName(fn *types.Func, static string) string {
	if named, ok := types.Unalias(fn.Signature().Recv().Type()).(*types.Named); ok {
		return named.Obj().Name()
	}
	return static
}

// promotion sets the path to the channel. A field of it that cannot be named
// here is refused.
func (f *publishFile) promotion(c *publishCall, selection *types.Selection) *flow.Refusal {
	t := selection.Recv()
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		field := structOf(t).Field(i)
		if !field.Exported() && field.Pkg() != f.pass.Pkg {
			return &flow.Refusal{
				Category: plan.EmbeddedType,
				Why:      fmt.Sprintf("the method is promoted from %s, a field that only %s can name", field.Name(), field.Pkg().Path()),
				At:       flow.At(field),
				Note:     "the embedded field",
				Hint:     "let " + field.Pkg().Path() + " publish, or give out the channel",
			}
		}
		t = field.Type()
		if f.on("promoted") {
			c.path = append(c.path, field.Name())
		}
	}
	c.star = !isPointer(t) && f.on("address")
	return nil
}

// structOf returns the struct type that t is or points to.
func structOf(t types.Type) *types.Struct {
	t = t.Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	return t.(*types.Struct)
}
