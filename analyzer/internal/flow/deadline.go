package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ast/inspector"
)

// leastDeadline is how far away a deadline must be for code that waits for nothing
// to come before it.
const leastDeadline = time.Second

// quick are the functions, by package and what their names begin with, that wait
// for nobody, if none of their arguments is a function.
var quick = map[string][]string{
	"bytes":         {""},
	"encoding/json": {"Marshal", "Unmarshal"},
	"errors":        {""},
	"fmt":           {"Errorf", "Sprint"},
	"strconv":       {""},
	"strings":       {""},
}

// JustMade reports whether e is a context that cannot be done yet when the call
// gets it: a local variable that context.WithTimeout gave at least a second, in a
// statement before that of the call and in the same list, with nothing between that
// may wait, and that only deferred calls cancel.
func (p *Package) JustMade(e ast.Expr, call inspector.Cursor) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v := p.keeping(id)
	if v == nil {
		return false
	}
	stmt := call
	for !isListed(stmt) {
		if _, ok := stmt.Node().(*ast.FuncLit); ok || stmt.Parent().Node() == nil {
			return false
		}
		stmt = stmt.Parent()
	}
	if p.waits(stmt.Node(), call.Node()) {
		return false
	}
	for {
		var ok bool
		if stmt, ok = stmt.PrevSibling(); !ok || !isListed(stmt) {
			return false
		}
		switch s := stmt.Node().(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE && len(s.Lhs) == 2 && p.defines(s.Lhs[0]) == v {
				return p.timesOut(s.Rhs[0]) && p.deferred(s.Lhs[1], call)
			}
		case *ast.DeferStmt:
			if _, ok := s.Call.Fun.(*ast.Ident); ok && len(s.Call.Args) == 0 {
				continue // it is called later
			}
		}
		if p.waits(stmt.Node(), nil) {
			return false
		}
	}
}

func (p *Package) defines(e ast.Expr) types.Object {
	if id, ok := e.(*ast.Ident); ok {
		return p.Info.Defs[id]
	}
	return nil
}

// timesOut reports whether e makes a context that is only done after a while.
func (p *Package) timesOut(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !p.NeverDone(call.Args[0]) {
		return false
	}
	if fn := p.callee(call); fn == nil || fn.FullName() != "context.WithTimeout" {
		return false
	}
	value := p.Info.Types[call.Args[1]].Value
	return value != nil && constant.Compare(value, token.GEQ, constant.MakeInt64(int64(leastDeadline)))
}

// deferred reports whether the variable that cancel declares is called by defer
// statements, and by others behind the call only.
func (p *Package) deferred(cancel ast.Expr, call inspector.Cursor) bool {
	v := p.defines(cancel)
	if v == nil {
		id, ok := cancel.(*ast.Ident)
		return ok && id.Name == "_"
	}
	for cur := range function(call).Preorder((*ast.Ident)(nil)) {
		if p.Info.Uses[cur.Node().(*ast.Ident)] != v || cur.Node().Pos() > call.Node().End() {
			continue
		}
		c, ok := called(cur)
		if !ok {
			return false
		}
		if _, ok := c.Parent().Node().(*ast.DeferStmt); !ok {
			return false
		}
	}
	return true
}

// waits reports whether what a statement does up to the call in it, or all of it if
// that is nil, may take its time.
func (p *Package) waits(stmt, call ast.Node) bool {
	switch s := stmt.(type) {
	case *ast.IfStmt:
		parts := []ast.Node{s.Cond}
		if s.Init != nil {
			parts = append(parts, s.Init)
		}
		switch {
		case call == nil:
			parts = append(parts, s.Body)
			if s.Else != nil {
				parts = append(parts, s.Else)
			}
		case s.Body.Pos() <= call.Pos():
			return true
		}
		return slices.ContainsFunc(parts, func(n ast.Node) bool { return p.waits(n, call) })
	case *ast.BlockStmt:
		return slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return p.waits(s, call) })
	case *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.LabeledStmt, *ast.GoStmt, *ast.SendStmt, *ast.DeferStmt:
		return true
	}
	around := func(n ast.Node) bool { return call != nil && n.Pos() <= call.Pos() && call.End() <= n.End() }
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || around(n)
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || !around(n) && !p.computes(n) && !p.isQuick(n)
		}
		return !found
	})
	return found
}

// isQuick reports whether the call waits for nothing.
func (p *Package) isQuick(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	for _, arg := range call.Args {
		if _, ok := p.Info.TypeOf(arg).Underlying().(*types.Signature); ok {
			return false
		}
	}
	return slices.ContainsFunc(quick[fn.Pkg().Path()], func(prefix string) bool { return strings.HasPrefix(fn.Name(), prefix) })
}
