package flow

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// starters are functions whose argument runs on a goroutine of its own.
var starters = map[string]bool{
	"time.AfterFunc":                            true,
	"context.AfterFunc":                         true,
	"(*sync.WaitGroup).Go":                      true,
	"(*golang.org/x/sync/errgroup.Group).Go":    true,
	"(*golang.org/x/sync/errgroup.Group).TryGo": true,
}

// capture looks at the function literals between the declaration of v and a
// mention of it. One that a goroutine runs is refused, and any for the variable
// of a for clause, which closures see one copy of per iteration.
func (p *Package) capture(v *Value, use *Use, cur, declared inspector.Cursor) *Refusal {
	name := v.Var.Name()
	for fn := function(cur); fn.Valid() && fn != declared; fn = function(fn) {
		use.inLit = true
		if v.Decl.ParentEdgeKind() == edge.ForStmt_Init {
			return &Refusal{
				Category: plan.Captured,
				Why:      fmt.Sprintf("%s is the variable of a for clause and a closure keeps it", name),
				At:       fn.Node(),
				Note:     "the closure",
			}
		}
		if start := p.startedBy(fn); start != nil {
			return &Refusal{
				Category: plan.GoroutineCapture,
				Why:      fmt.Sprintf("a goroutine uses %s", name),
				At:       start,
				Note:     "the goroutine is started here",
			}
		}
	}
	return nil
}

// startedBy returns the statement or call that runs the function literal on
// another goroutine, or nil.
func (p *Package) startedBy(lit inspector.Cursor) ast.Node {
	outer := outOfParens(lit)
	if start := p.starts(outer); start != nil {
		return start
	}
	// f := func() { … }; go f()
	id := boundTo(outer)
	if id == nil {
		return nil
	}
	v, ok := p.Info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	for cur := range outermost(lit).Preorder((*ast.Ident)(nil)) {
		if p.Info.Uses[cur.Node().(*ast.Ident)] != v {
			continue
		}
		if start := p.starts(outOfParens(cur)); start != nil {
			return start
		}
	}
	return nil
}

// starts returns the go statement that cur is the function or an argument of,
// or the call of a starter that cur is an argument of.
func (p *Package) starts(cur inspector.Cursor) ast.Node {
	parent := cur.Parent()
	call, ok := parent.Node().(*ast.CallExpr)
	if !ok {
		return nil
	}
	if outOfParens(parent).ParentEdgeKind() == edge.GoStmt_Call {
		return outOfParens(parent).Parent().Node()
	}
	if cur.ParentEdgeKind() == edge.CallExpr_Args {
		if fn := p.callee(call); fn != nil && starters[fn.FullName()] {
			return call
		}
	}
	return nil
}

// boundTo returns the identifier that the function literal is assigned to.
func boundTo(lit inspector.Cursor) *ast.Ident {
	kind, index := lit.ParentEdge()
	switch kind {
	case edge.AssignStmt_Rhs:
		assign := lit.Parent().Node().(*ast.AssignStmt)
		if len(assign.Lhs) == len(assign.Rhs) {
			id, _ := assign.Lhs[index].(*ast.Ident)
			return id
		}
	case edge.ValueSpec_Values:
		spec := lit.Parent().Node().(*ast.ValueSpec)
		if len(spec.Names) == len(spec.Values) {
			return spec.Names[index]
		}
	}
	return nil
}
