package flow

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// headers decides how a table comes to be where the old value always had one:
// not at all, in the literal, or by a statement before each use that needs it.
func (p *Package) headers(v *Value) *Refusal {
	var (
		needs   bool // a use that stays needs a table
		maybe   bool // a setter may be given a nil one
		literal bool // the literal sets one
	)
	for _, u := range v.Uses {
		if u.needsMap() {
			needs = needs || !u.Folded
			literal = literal || u.Folded
		}
		if !setsTable(u) {
			continue
		}
		literal = literal || u.Folded
		if u.Method.Role == oldapi.Set {
			arg := u.Call.Args[0]
			maybe = maybe || !p.notNil(arg) && !p.Info.Types[arg].IsNil()
		}
	}
	switch {
	case !needs:
		return nil
	case !maybe:
		v.InitHeaders = !literal
		v.FillHeaders = true
		return nil
	}
	for _, u := range v.Uses {
		if !u.needsMap() || u.Folded {
			continue
		}
		if !guardable(u) {
			return &Refusal{
				Category: plan.NilHeaders,
				Why:      fmt.Sprintf("the headers of %s may be nil and are needed where no statement fits before", v.Var.Name()),
				At:       u.Call,
				Note:     "needed here",
			}
		}
		u.Guard = true
	}
	p.dropGuards(v)
	return nil
}

// setsTable reports whether the use replaces the whole header table.
func setsTable(u *Use) bool {
	return u.Kind == UseMethod && u.Method.Kind == oldapi.Table &&
		(u.Method.Role == oldapi.Set || u.Method.Role == oldapi.Clear)
}

// guardable reports whether a statement right before u.Stmt runs whenever the
// use does, and nothing between the two can remove the table.
func guardable(u *Use) bool {
	if !isListed(u.Stmt) {
		return false
	}
	switch stmt := u.Stmt.Node().(type) {
	case *ast.ForStmt:
		return false // the condition is evaluated again
	case *ast.RangeStmt:
		return u.Ident.Pos() > stmt.TokPos // what is before is evaluated in each iteration
	case *ast.IfStmt:
		return stmt.Init == nil
	case *ast.SwitchStmt:
		return stmt.Init == nil
	}
	return true
}

// dropGuards takes away every guard that an earlier one makes superfluous: it
// stands in the same list of statements, or in one around it, and nothing in
// between replaces the table.
func (p *Package) dropGuards(v *Value) {
	for _, u := range v.Uses {
		if u.inLit && setsTable(u) {
			return
		}
	}
	if p.hasGoto(v.Decl) {
		return
	}
	for i, u := range v.Uses {
		for _, earlier := range v.Uses[:i] {
			if u.Guard && earlier.Guard && dominates(v, earlier.Stmt, u.Stmt) {
				u.Guard = false
			}
		}
	}
}

func dominates(v *Value, earlier, later inspector.Cursor) bool {
	list := earlier.Parent()
	if function(earlier) != function(later) || !list.Contains(later) {
		return false
	}
	around := later // later itself, or its ancestor in earlier's list
	for around.Parent() != list {
		around = around.Parent()
	}
	for _, u := range v.Uses {
		if setsTable(u) && earlier.Node().Pos() <= u.Ident.Pos() && u.Ident.Pos() < around.Node().End() {
			return false
		}
	}
	return true
}
