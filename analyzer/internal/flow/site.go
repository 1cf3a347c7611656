package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// Site is one mention of the old publish method.
type Site struct {
	Cur     inspector.Cursor // the call, or the selector of a method value
	Select  *ast.SelectorExpr
	Call    *ast.CallExpr // nil for a method value
	Arg     Argument      // the properties; not set when Refusal is
	Refusal *Refusal      // why the call itself cannot be rewritten
}

// Receiver is the expression that the old method is called on.
func (s *Site) Receiver() ast.Expr { return ast.Unparen(s.Select.X) }

// Sites yields every mention of the old publish method in the file, in source
// order. A method is the old one by its type object, or by having its name and
// its very signature on a type of the user's own.
func (p *Package) Sites(file inspector.Cursor) iter.Seq[*Site] {
	return func(yield func(*Site) bool) {
		for cur := range file.Preorder((*ast.SelectorExpr)(nil)) {
			if site := p.site(cur); site != nil && !yield(site) {
				return
			}
		}
	}
}

func (p *Package) site(cur inspector.Cursor) *Site {
	sel := cur.Node().(*ast.SelectorExpr)
	if sel.Sel.Name != oldapi.PublishMethod {
		return nil
	}
	selection := p.Info.Selections[sel]
	if selection == nil {
		return nil // a function of some package
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok {
		return nil // a field
	}
	old := isOld(fn)
	if !old && !types.Identical(fn.Type(), p.publish) {
		return nil
	}

	site := &Site{Cur: cur, Select: sel}
	call, isCall := called(cur)
	if isCall {
		site.Cur = call
		site.Call = call.Node().(*ast.CallExpr)
	}
	if !isCall || selection.Kind() != types.MethodVal {
		site.Refusal = &Refusal{
			Category: plan.MethodValue,
			Why:      fmt.Sprintf("%s is used as a value", types.ExprString(sel)),
		}
		return site
	}
	if site.Refusal = receiverRefusal(selection, "publish"); site.Refusal != nil {
		return site
	}
	if len(site.Call.Args) != oldapi.PublishArgs {
		site.Refusal = &Refusal{
			Category: plan.CreatedElsewhere,
			Why:      fmt.Sprintf("all arguments come from %s", types.ExprString(site.Call.Args[0])),
			Hint:     "put its results into variables first",
		}
		return site
	}
	site.Arg = p.argument(call.ChildAt(edge.CallExpr_Args, oldapi.Properties))
	if site.Refusal = site.Arg.Refusal; site.Refusal != nil {
		return site
	}
	if site.Refusal = p.mandatoryMoves(site.Call); site.Refusal == nil && site.Arg.Kind == ArgStruct {
		site.Refusal = p.structReadBesideCall(site)
	}
	return site
}

// receiverRefusal says why a method called on the selection's receiver is not
// simply the old channel's, or returns nil.
func receiverRefusal(selection *types.Selection, verb string) *Refusal {
	recv := types.Unalias(selection.Recv())
	elem := recv
	if ptr, ok := recv.(*types.Pointer); ok {
		elem = types.Unalias(ptr.Elem())
	}
	name := types.TypeString(recv, func(p *types.Package) string { return p.Name() })
	fn := selection.Obj().(*types.Func)
	switch _, isParam := elem.(*types.TypeParam); {
	case isParam:
		return &Refusal{
			Category: plan.TypeParameter,
			Why:      fmt.Sprintf("the %s's receiver is of the type parameter %s", verb, name),
			At:       objectNode{elem.(*types.TypeParam).Obj()},
			Note:     "the type parameter",
		}
	case types.IsInterface(recv):
		return &Refusal{
			Category: plan.UserInterface,
			Why:      fmt.Sprintf("the %s goes through the interface %s", verb, name),
			At:       objectNode{fn},
			Note:     "the method of the interface",
		}
	case isOld(fn) && len(selection.Index()) > 1:
		r := &Refusal{
			Category: plan.EmbeddedType,
			Why:      fmt.Sprintf("the %s's method is promoted from a field of %s", verb, name),
			Note:     "the embedded field",
		}
		if s, ok := elem.Underlying().(*types.Struct); ok {
			r.At = objectNode{s.Field(selection.Index()[0])}
		}
		return r
	case !isChannel(recv):
		return &Refusal{
			Category: plan.InterfaceImplementation,
			Why:      fmt.Sprintf("%s has its own %s", name, fn.Name()),
			At:       objectNode{fn},
			Note:     "the method",
		}
	}
	return nil
}

// create matches a call of the old channel's creating method.
func (p *Package) create(e ast.Expr) (call *ast.CallExpr, refusal *Refusal) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != oldapi.CreateMethod {
		return nil, nil
	}
	selection := p.Info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal || !isProperties(p.Info.TypeOf(call)) {
		return nil, nil
	}
	return call, receiverRefusal(selection, "creation")
}

// fromStruct matches compat.FromStruct(x).
func (p *Package) fromStruct(e ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, ok := p.Info.Uses[id].(*types.Func)
	if !ok || !isOld(fn) || fn.Name() != oldapi.FromStructFunc {
		return nil
	}
	if _, isTuple := p.Info.TypeOf(call.Args[0]).(*types.Tuple); isTuple {
		return nil
	}
	return call
}

// mandatoryMoves refuses a call whose mandatory argument must be evaluated
// where it is: what is behind it may matter to it, or it to what is behind it.
func (p *Package) mandatoryMoves(call *ast.CallExpr) *Refusal {
	mandatory := call.Args[oldapi.Mandatory]
	if p.movable(mandatory) || p.frozenField(mandatory, call) {
		return nil
	}
	body := call.Args[oldapi.Body]
	behind := []ast.Expr{body}
	if from := p.fromStruct(call.Args[oldapi.Properties]); from != nil {
		behind = []ast.Expr{from.Args[0], body}
	}
	effects := p.effects(mandatory)
	for _, arg := range behind {
		if p.effects(arg) || effects && !p.movable(arg) {
			return &Refusal{
				Category: plan.OrderOfEffects,
				Why: fmt.Sprintf("%s would be evaluated after %s instead of before",
					Short(mandatory), Short(arg)),
				At:   mandatory,
				Note: "evaluated before the properties and the body today, after them in newapi.BasicPublish",
			}
		}
	}
	return nil
}

// structReadBesideCall refuses compat.FromStruct(s) if s may change while the
// arguments are evaluated: FromStruct took its copy in order with their calls,
// and an argument s is read whenever.
func (p *Package) structReadBesideCall(site *Site) *Refusal {
	if p.stable(site.Arg.Call.Args[0]) {
		return nil
	}
	for _, e := range append([]ast.Expr{site.Select.X}, site.Call.Args...) {
		if e != site.Arg.Expr && p.effects(e) {
			return &Refusal{
				Category: plan.OrderOfEffects,
				Why: fmt.Sprintf("%s may be read after %s is called instead of before",
					Short(site.Arg.Call.Args[0]), Short(e)),
				At:   e,
				Note: "called here",
			}
		}
	}
	return nil
}

// Short renders an expression in a few words.
func Short(e ast.Expr) string {
	s := strings.Join(strings.Fields(types.ExprString(e)), " ")
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// objectNode makes the declaration of an object usable as a Refusal's At.
type objectNode struct{ types.Object }

func (o objectNode) End() (end token.Pos) { return o.Pos() + token.Pos(len(o.Name())) }
