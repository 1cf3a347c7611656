package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// fold marks the uses whose statements go into the literal: the longest run
// right after the creation that keeps every order that matters.
func (p *Package) fold(v *Value) {
	stmt := declStmt(v.Decl)
	if !isListed(stmt) || !single(v.Decl.Node()) {
		return
	}
	if decl, ok := v.Decl.Parent().Node().(*ast.GenDecl); ok && decl.Lparen.IsValid() {
		return // what is declared behind it would come before the setters
	}

	byStmt := make(map[ast.Node]*Use)
	for _, u := range v.Uses {
		switch {
		case u.Kind == UseMethod && u.Alone && !u.inLit:
			byStmt[u.Stmt.Node()] = u
		case u.Kind == UseHeadersWrite && !u.inLit:
			byStmt[u.Write] = u
		}
	}
	var (
		set     = make(map[setting]bool)
		entries bool
		args    []ast.Expr
		effects int
		calls   = make(map[ast.Expr]bool)
		between []ast.Expr // what an entry that joins the table comes before
	)
	for last, next := stmt, stmt; ; last = next {
		var ok bool
		if next, ok = next.NextSibling(); !ok {
			return
		}
		u := byStmt[next.Node()]
		if u == nil || p.longComment(last.Node().End(), next.Node().Pos()) {
			return
		}
		sets, exprs, ok := p.foldable(u)
		if !ok || set[sets] || set[setting{field: sets.field}] || entries && sets == (setting{field: "Headers"}) {
			return
		}
		for _, e := range exprs {
			if p.names(e, v) {
				return
			}
			if calls[e] = p.effects(e); calls[e] {
				effects++
			}
		}
		if sets.entry && !p.joins(exprs, between) {
			return
		}
		if entries && !sets.entry {
			between = append(between, exprs...)
		}
		args = append(args, exprs...)
		if effects > 1 {
			return
		}
		if effects == 1 {
			for _, e := range args {
				if !calls[e] && !p.stable(e) {
					return
				}
			}
		}
		set[sets] = true
		entries = entries || sets.entry
		u.Folded = true
	}
}

// joins reports whether an entry's expressions can be evaluated before those
// between it and the first entry: the table is one element of the literal.
func (p *Package) joins(entry, between []ast.Expr) bool {
	effects := func(e ast.Expr) bool { return p.effects(e) }
	moves := func(e ast.Expr) bool { return !p.movable(e) }
	return !slices.ContainsFunc(slices.Concat(entry, between), effects) ||
		!slices.ContainsFunc(entry, moves) || !slices.ContainsFunc(between, moves)
}

// setting is what one folded statement sets: a field, or the entry of the
// header table under a constant key.
type setting struct {
	field string
	entry bool
	key   string
}

// foldable returns what the use sets and the expressions that it evaluates. It
// is not ok if the use can be no element of a literal.
func (p *Package) foldable(u *Use) (sets setting, exprs []ast.Expr, ok bool) {
	sets.field = u.Method.Field
	if u.Kind == UseHeadersWrite {
		if len(u.Write.Lhs) != 1 || len(u.Write.Rhs) != 1 {
			return sets, nil, false
		}
		index := ast.Unparen(u.Write.Lhs[0]).(*ast.IndexExpr)
		key := p.Info.Types[index.Index].Value
		if key == nil || key.Kind() != constant.String {
			return sets, nil, false // two such keys may be equal
		}
		sets.entry, sets.key = true, constant.StringVal(key)
		return sets, u.Write.Rhs, p.plain(u.Write, index.Index, u.Write.Rhs[0])
	}
	switch u.Method.Role {
	case oldapi.Set, oldapi.SetAddress:
		return sets, u.Call.Args, p.plain(u.Call, u.Call.Args...)
	case oldapi.SetPersistent:
		return sets, nil, p.isConstant(u.Call.Args[0]) && p.plain(u.Call)
	}
	return sets, nil, false
}

// plain reports whether every comment within n is within one of the parts that
// go into the literal as they are.
func (p *Package) plain(n ast.Node, parts ...ast.Expr) bool {
	within := 0
	for _, part := range parts {
		within += len(p.Comments(part.Pos(), part.End()))
	}
	return within == len(p.Comments(n.Pos(), n.End()))
}

// longComment reports whether a comment between the positions has several
// lines, which gofmt would indent anew within a literal.
func (p *Package) longComment(start, end token.Pos) bool {
	return slices.ContainsFunc(p.Comments(start, end), func(c *ast.Comment) bool {
		return strings.Contains(c.Text, "\n")
	})
}

// names reports whether e mentions the variable.
func (p *Package) names(e ast.Expr, v *Value) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.Info.Uses[id] == v.Var {
			found = true
		}
		return !found
	})
	return found
}
