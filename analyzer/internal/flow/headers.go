package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

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
	var sets []token.Pos // where the table is replaced, in order
	for _, u := range v.Uses {
		if setsTable(u) {
			if u.inLit {
				return
			}
			sets = append(sets, u.Ident.Pos())
		}
	}
	if p.hasGoto(v.Decl) {
		return
	}
	// Of the guards in one list the last one counts: what replaces the table since
	// then does so since any other.
	last := make(map[ast.Node]inspector.Cursor)
	for _, u := range v.Uses {
		if !u.Guard {
			continue
		}
		if guarded(u.Stmt, last, sets) {
			u.Guard = false
		} else {
			last[u.Stmt.Parent().Node()] = u.Stmt
		}
	}
}

// guarded reports whether a guard before the last statement in the list around
// stmt, or in a list around that within the function, still holds at stmt.
func guarded(stmt inspector.Cursor, last map[ast.Node]inspector.Cursor, sets []token.Pos) bool {
	for around := stmt; ; around = around.Parent() {
		switch around.Node().(type) {
		case *ast.FuncLit, *ast.FuncDecl, nil:
			return false
		}
		guard, ok := last[around.Parent().Node()]
		if !ok {
			continue
		}
		next, _ := slices.BinarySearch(sets, guard.Node().Pos())
		if next == len(sets) || sets[next] >= around.Node().End() {
			return true
		}
	}
}
