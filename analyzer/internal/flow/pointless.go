package flow

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// pointless says why the use would become what go vet reports, which does not
// look into calls: an assignment of a field to itself, or a condition that
// compares one field twice in a way that is redundant or always or never true, and
// what to do about it. It returns "" if it does not.
func (p *Package) pointless(v *types.Var, u *Use) (why, hint string) {
	switch u.Method.Role {
	case oldapi.Set:
		if field, ok := p.getter(v, u.Call.Args[0]); ok && field == u.Method.Field {
			return fmt.Sprintf("has its %s set to what it is", field), "take the statement out, which changes nothing"
		}
	case oldapi.Get, oldapi.Present, oldapi.GetPersistent:
		if p.comparedTwice(v, u) {
			return fmt.Sprintf("has its %s compared twice in one condition", u.Method.Field), "take one of the comparisons out"
		}
	}
	return "", ""
}

// getter returns the field that e reads of v by a getter.
func (p *Package) getter(v *types.Var, e ast.Expr) (field string, ok bool) {
	method, ok := p.methodOf(v, e)
	return method.Field, ok && method.Role == oldapi.Get
}

// methodOf returns the method of v that e is a call of.
func (p *Package) methodOf(v *types.Var, e ast.Expr) (method oldapi.Method, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return method, false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return method, false
	}
	if id, ok := ast.Unparen(sel.X).(*ast.Ident); !ok || p.Info.Uses[id] != v {
		return method, false
	}
	method, ok = oldapi.Methods[sel.Sel.Name]
	return method, ok
}

// comparedTwice reports whether the use is an operand, or part of one, of && or
// || beside another operand that go vet would hold against it.
func (p *Package) comparedTwice(v *types.Var, u *Use) bool {
	for operand := u.Cur; ; {
		parent := operand.Parent()
		if _, ok := parent.Node().(ast.Expr); !ok {
			return false
		}
		if n, ok := parent.Node().(*ast.BinaryExpr); ok && (n.Op == token.LAND || n.Op == token.LOR) {
			parent = chain(parent, n.Op)
			if p.repeats(v, ast.Unparen(operand.Node().(ast.Expr)), parent.Node().(ast.Expr), n.Op) {
				return true
			}
		}
		operand = parent
	}
}

// chain returns the outermost expression of the operator that cur, which is one,
// is an operand of by no other.
func chain(cur inspector.Cursor, op token.Token) inspector.Cursor {
	for {
		outer := outOfParens(cur).Parent()
		if n, ok := outer.Node().(*ast.BinaryExpr); !ok || n.Op != op {
			return cur
		}
		cur = outer
	}
}

// repeats reports whether another operand of the chain says what mine says, or
// what makes the two of them always or never true.
func (p *Package) repeats(v *types.Var, mine, chain ast.Expr, op token.Token) bool {
	a, isComparison := p.comparison(v, mine)
	for _, other := range operands(chain, op) {
		if other == mine {
			continue
		}
		if types.ExprString(other) == types.ExprString(mine) {
			return true
		}
		b, ok := p.comparison(v, other)
		if ok && isComparison && a.field == b.field && a.op == b.op &&
			(a.value == b.value || op == token.LOR && a.op == token.NEQ || op == token.LAND && a.op == token.EQL) {
			return true
		}
	}
	return false
}

// operands returns the operands of a chain of one operator.
func operands(e ast.Expr, op token.Token) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []ast.Expr{e}
}

// comparison is a field that is compared with a constant.
type comparison struct {
	field string
	op    token.Token // EQL or NEQ
	value string
}

// comparison returns what becomes of e, if that compares a field of v with a
// constant.
func (p *Package) comparison(v *types.Var, e ast.Expr) (c comparison, ok bool) {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		c, ok := p.comparison(v, not.X)
		if _, isCall := ast.Unparen(not.X).(*ast.CallExpr); !ok || !isCall {
			return c, false
		}
		if c.op == token.EQL {
			c.op = token.NEQ
		} else {
			c.op = token.EQL
		}
		return c, true
	}
	if method, ok := p.methodOf(v, e); ok {
		switch {
		case method.Role == oldapi.GetPersistent:
			return comparison{method.Field, token.EQL, "2"}, true
		case method.Role == oldapi.Present && method.Kind == oldapi.String:
			return comparison{method.Field, token.NEQ, `""`}, true
		case method.Role == oldapi.Present:
			return comparison{method.Field, token.NEQ, "0"}, true
		}
		return c, false
	}
	b, isBinary := e.(*ast.BinaryExpr)
	if !isBinary || b.Op != token.EQL && b.Op != token.NEQ {
		return c, false
	}
	x, y := b.X, b.Y
	if p.Info.Types[x].Value != nil {
		x, y = y, x
	}
	field, ok := p.getter(v, x)
	value := p.Info.Types[y].Value
	if !ok || value == nil {
		return c, false
	}
	if value.Kind() == constant.String {
		return comparison{field, b.Op, value.ExactString()}, true
	}
	return comparison{field, b.Op, value.String()}, true
}
