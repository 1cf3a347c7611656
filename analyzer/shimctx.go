package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
	"github.com/amqpfix/amqpfix/analyzer/internal/shim"
)

// contexts returns what keeps the contexts of a file's publishes from mattering,
// for a module that comes from a version of amqp091-go which does not look at them:
//
//	ch.PublishWithContext(ctx, ex, key, …)    =>  ch.PublishWithContext(context.WithoutCancel(ctx), ex, key, …)
//	ch.PublishWithContext(o.ctx, ex, key, …)  =>  ch.PublishWithContext(context.Background(), ex, key, …)
//
// It is safe because such a version uses nothing of a context. The second is for
// what may be nil, which WithoutCancel panics at: nil itself, fields and other
// variables that need not be given a value. A context that is never done stays, and
// so does one that was made for the call with some time left. Calls through
// interfaces stay too, for other types may satisfy those and look at the context; so
// do method values, and calls whose arguments are the results of another.
func contexts(pass *analysis.Pass, pkg *flow.Package, cur inspector.Cursor, others *otherFiles, ignored *ignores) (list shim.Contexts) {
	file := cur.Node().(*ast.File)
	tok := pass.Fset.File(file.FileStart)
	list.File = tok.Name()
	editable := untouchable(pass, file) == nil
	names := newNames(pass, file, others)

	var args []ast.Expr
	at := func(sel *ast.SelectorExpr) token.Position {
		return pass.Fset.PositionFor(sel.Pos(), isCgo(file, tok.Name())) // cgo's text is not the user's
	}
	for cur := range cur.Preorder((*ast.SelectorExpr)(nil)) {
		sel := cur.Node().(*ast.SelectorExpr)
		index, onChannel, ok := contextParameter(pass.TypesInfo, sel)
		if !ok {
			continue
		}
		at := at(sel)
		around, called := flow.Called(cur)
		if !called || len(around.Node().(*ast.CallExpr).Args) <= index+1 { // else one argument is all
			list.Others = append(list.Others, at)
			ignored.covers(sel)
			continue
		}
		call := around.Node().(*ast.CallExpr)
		covered := ignored.covers(call)
		switch {
		case pkg.NeverDone(call.Args[index]) || pkg.JustMade(call.Args[index], around):
		case !onChannel || !editable || covered:
			list.Others = append(list.Others, at)
		default:
			args = append(args, call.Args[index])
			list.Calls = append(list.Calls, at)
			names.need("context", call.Args[index].Pos())
		}
	}
	if len(args) == 0 {
		return list
	}
	insert := func(pos, end token.Pos, text string) {
		list.Edits = append(list.Edits, plan.Edit{File: list.File, Start: tok.Offset(pos), End: tok.Offset(end), New: text})
	}
	for _, arg := range args {
		list.Imports = append(list.Imports, plan.Import{File: list.File, Path: "context", Name: names.local("context", arg.Pos())})
		if pkg.PerhapsNil(arg, args) {
			insert(arg.Pos(), arg.End(), names.qualified("context", "Background", arg.Pos())+"()")
			continue
		}
		insert(arg.Pos(), arg.Pos(), names.qualified("context", "WithoutCancel", arg.Pos())+"(")
		insert(arg.End(), arg.End(), ")")
	}
	return list
}

// contextParameter returns the index of the context among the arguments of what
// sel selects, if that is a publish with a context and a message of amqp091-go:
// one on its channel, or of an interface, which such a channel may satisfy.
func contextParameter(info *types.Info, sel *ast.SelectorExpr) (index int, onChannel, ok bool) {
	fn, isFunc := info.Uses[sel.Sel].(*types.Func)
	if !isFunc || !oldapi.Publishes[fn.Name()].Ctx {
		return 0, false, false
	}
	recv, params := fn.Signature().Recv(), fn.Signature().Params()
	if recv == nil || params.Len() != oldapi.PublishWithout+1 || !isUpstream(params.At(oldapi.PublishWithout).Type(), oldapi.PublishingType) {
		return 0, false, false
	}
	if selection := info.Selections[sel]; selection != nil && selection.Kind() == types.MethodExpr {
		index = 1
	}
	t := recv.Type()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	onChannel = isUpstream(t, oldapi.ChannelType)
	return index, onChannel, onChannel || types.IsInterface(t)
}

// isUpstream reports whether t is the type of amqp091-go with the name.
func isUpstream(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == oldapi.Upstream
}
