package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/flow"
	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// findImmediate makes a finding of an immediate that may be true.
//
//	ch.Publish(ex, key, false, immediate, msg)
//	                           ---------
func (f *publishFile) findImmediate(c *publishCall, result *plan.Result) {
	if c.immediate == nil || f.ignores.covers(c.cur.Node()) {
		return
	}
	f.immediate(c.immediate, result)
}

// findNewImmediate does so in code on the new API, lest a rewrite silence it.
//
//	newapi.FlagsIf(mandatory, immediate)
//	                          ---------
//	newapi.Mandatory|newapi.Immediate
//	                 ----------------
//
// What only asks whether a flag is set, such as flags&newapi.Immediate, is none.
func (f *publishFile) findNewImmediate(result *plan.Result) {
	cur, ok := f.flow.Root.FindNode(f.file)
	quoted := strconv.Quote(oldapi.NewAPI)
	if !ok || !slices.ContainsFunc(f.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == quoted }) {
		return
	}
	for id := range cur.Preorder((*ast.Ident)(nil)) {
		obj := f.pass.TypesInfo.Uses[id.Node().(*ast.Ident)]
		if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() != oldapi.NewAPI || obj.Parent() != obj.Pkg().Scope() {
			continue
		}
		name := id
		if id.ParentEdgeKind() == edge.SelectorExpr_Sel {
			name = id.Parent()
		}
		switch obj.Name() {
		case oldapi.NewFlagsIf:
			call, called := flow.Called(name)
			if !called || f.ignores.covers(call.Node()) {
				continue
			}
			args := call.Node().(*ast.CallExpr).Args
			f.immediate(args[len(args)-1], result)
		case oldapi.NewImmediate:
			if !f.asks(name) && !f.ignores.covers(name.Node()) {
				f.immediate(name.Node().(ast.Expr), result)
			}
		}
	}
}

// asks reports whether flag is compared, masked or looked for, not passed on.
func (f *publishFile) asks(flag inspector.Cursor) bool {
	for flag.ParentEdgeKind() == edge.ParenExpr_X {
		flag = flag.Parent()
	}
	switch parent := flag.Parent().Node().(type) {
	case *ast.BinaryExpr:
		switch parent.Op {
		case token.AND, token.AND_NOT, token.EQL, token.NEQ:
			return true
		case token.OR:
			return f.asks(flag.Parent())
		}
	case *ast.AssignStmt:
		return parent.Tok == token.AND_ASSIGN || parent.Tok == token.AND_NOT_ASSIGN
	case *ast.CaseClause:
		return true
	case *ast.CallExpr:
		sel, ok := ast.Unparen(parent.Fun).(*ast.SelectorExpr)
		if !ok || flag.ParentEdgeKind() != edge.CallExpr_Args {
			return false
		}
		fn, ok := f.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
		return ok && fn.Signature().Recv() != nil && fn.Pkg() != nil && fn.Pkg().Path() == oldapi.NewAPI // its Has
	}
	return false
}

// immediate makes a finding of e, if it may be true.
func (f *publishFile) immediate(e ast.Expr, result *plan.Result) {
	value := f.pass.TypesInfo.Types[e].Value
	if !f.on("immediate") || value != nil && value.Kind() == constant.Bool && !constant.BoolVal(value) {
		return
	}
	finding := plan.Finding{
		Pos:      f.pass.Fset.PositionFor(e.Pos(), false),
		End:      f.pass.Fset.PositionFor(e.End(), false),
		Category: plan.Immediate,
		Message:  fmt.Sprintf("immediate is %s: RabbitMQ closes the connection when it is true", flow.Short(e)),
	}
	if value != nil && value.Kind() != constant.Bool {
		finding.Message = fmt.Sprintf("%s is set: RabbitMQ closes the connection for it", flow.Short(e))
	}
	result.Findings = append(result.Findings, finding)
	reportWith(f.pass, finding.Category, analysis.Diagnostic{
		Pos:     e.Pos(),
		End:     e.End(),
		Message: finding.Message,
	})
}
