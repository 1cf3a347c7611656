package flow

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// delayed refuses a variable that a direct defer or go publishes, if it may
// change between the two.
func (p *Package) delayed(v *Value) *Refusal {
	for _, publish := range v.Uses {
		if publish.Kind != UsePublish {
			continue
		}
		word := "defer"
		switch outOfParens(publish.Cur).ParentEdgeKind() {
		case edge.DeferStmt_Call:
		case edge.GoStmt_Call:
			word = "go"
		default:
			continue
		}
		for _, change := range v.Uses {
			if change.Folded || !change.changes() || p.before(v, change, publish) {
				continue
			}
			return &Refusal{
				Category: plan.DeferThenChange,
				Why:      fmt.Sprintf("%s may change between the %s statement and the publish that it delays", v.Var.Name(), word),
				At:       change.Cur.Node(),
				Note:     "changed here",
			}
		}
	}
	return nil
}

// before reports whether change certainly runs before publish in each life of
// the variable.
func (p *Package) before(v *Value, change, publish *Use) bool {
	if change.inLit || change.Cur.Node().Pos() > publish.Cur.Node().Pos() || p.hasGoto(v.Decl) {
		return false
	}
	for loop := range publish.Cur.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if loop.Contains(v.Decl) {
			// A loop whose body declares the variable makes a new one each
			// time; one whose clause does keeps it.
			return v.Decl.ParentEdgeKind() != edge.ForStmt_Init || v.Decl.Parent() != loop
		}
		if loop.Contains(change.Cur) {
			return false
		}
	}
	return true
}

// order refuses a variable that a function literal changes, if a statement
// reads it next to a call that may run that literal: the language orders the
// old getter and the call, but not a field and the call.
func (p *Package) order(v *Value) *Refusal {
	var change *Use
	for _, u := range v.Uses {
		if u.inLit && u.changes() {
			change = u
			break
		}
	}
	if change == nil {
		return nil
	}
	for _, u := range v.Uses {
		if u.Folded || u.Kind == UseBlank || u.Kind == UseMethod && u.changes() {
			continue
		}
		if call := p.beside(u.Cur); call != nil {
			return &Refusal{
				Category: plan.OrderOfEffects,
				Why: fmt.Sprintf("%s may change %s in the statement that reads it",
					Short(call), v.Var.Name()),
				At:   change.Cur.Node(),
				Note: "changed here, in a function literal",
			}
		}
	}
	return nil
}

// beside returns a call with effects that is evaluated in the same statement
// as cur and is not one that cur is an argument of, or nil.
func (p *Package) beside(cur inspector.Cursor) ast.Expr {
	region := cur
	for {
		parent := region.Parent()
		if _, ok := parent.Node().(*ast.BlockStmt); ok {
			break
		}
		switch parent.Node().(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.RangeStmt,
			*ast.CaseClause, *ast.CommClause, *ast.LabeledStmt, *ast.SelectStmt, *ast.FuncLit, nil:
			// What is left is one part of the statement: a condition, an init
			// statement, a list of cases.
			return p.callIn(region, cur)
		}
		region = parent
	}
	return p.callIn(region, cur)
}

func (p *Package) callIn(region, cur inspector.Cursor) (found ast.Expr) {
	region.Inspect([]ast.Node{(*ast.FuncLit)(nil), (*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)}, func(c inspector.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			return false
		}
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			if !c.Contains(cur) && !p.computes(n) {
				found = n
			}
		case *ast.UnaryExpr:
			if !c.Contains(cur) && p.effects(n) && found == nil {
				found = n
			}
		}
		return true
	})
	return found
}
