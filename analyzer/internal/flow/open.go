package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Open is New for a package that need not reach the old API of package compat:
// its result answers questions about effects and variables, and knows of no
// properties values.
func Open(pkg *types.Package, info *types.Info, root inspector.Cursor) *Package {
	return &Package{
		Info:    info,
		Types:   pkg,
		Root:    root,
		publish: new(types.Signature),
		values:  make(map[*types.Var]*Value),
		gotos:   make(map[ast.Node]bool),
	}
}

// Effects reports whether evaluating any of the nodes may call a function or
// receive from a channel. Conversions, builtins that only compute, and a short
// list of functions such as time.Now do not count.
func (p *Package) Effects(nodes ...ast.Node) bool {
	for _, n := range nodes {
		if p.effects(n) {
			return true
		}
	}
	return false
}

// Stable reports whether e has the same value whatever other code does
// meanwhile: it is built from constants and from local variables that nobody
// else can change.
func (p *Package) Stable(e ast.Expr) bool { return p.stable(e) }

// Movable reports whether e may change its place among calls: it is stable, or a
// plain variable, which has no defined place among the calls of an expression and
// is read behind them.
func (p *Package) Movable(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return p.Movable(x.X)
		}
	}
	return p.stable(e)
}

// Fixed reports whether every variable that e mentions is a local one that is
// never assigned after its declaration, so that e has one value in each life of
// its variables.
func (p *Package) Fixed(e ast.Expr) bool {
	fixed := p.stable(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := p.Info.Uses[id].(*types.Var); ok && isLocal(v) {
				fixed = fixed && p.facts(v).assigned == 0
			}
		}
		return fixed
	})
	return fixed
}

// Untouched reports whether the variable is never assigned after its declaration,
// and neither its address nor that of a part of it is taken.
func (p *Package) Untouched(v *types.Var) bool {
	f := p.facts(v)
	return !f.addressed && f.assigned == 0
}

// Reads returns how often the variable is named, but for assignments to all of
// it.
func (p *Package) Reads(v *types.Var) int { return p.facts(v).read }

// Called returns the call whose function cur is, parentheses aside.
func Called(cur inspector.Cursor) (inspector.Cursor, bool) { return called(cur) }

// Statement returns the smallest statement around cur.
func Statement(cur inspector.Cursor) inspector.Cursor { return statement(cur) }

// Function returns the innermost function declaration or literal around cur. It
// is not valid for package-level initialisers.
func Function(cur inspector.Cursor) inspector.Cursor { return function(cur) }

// Outermost returns the function declaration or literal around cur that no other
// function is around.
func Outermost(cur inspector.Cursor) inspector.Cursor { return outermost(cur) }

// At returns an object's declaration as the place of a Refusal.
func At(obj types.Object) ast.Node { return objectNode{obj} }

// First reports whether the statement of a list that cur is part of has nothing
// with an effect but cur, and evaluates it once each time that it runs. It returns
// the statement.
func (p *Package) First(cur inspector.Cursor) (stmt inspector.Cursor, first bool) {
	region := cur
	for {
		parent := region.Parent()
		switch n := region.Node().(type) {
		case *ast.FuncLit:
			return region, false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && n.Y.Pos() <= cur.Node().Pos() {
				return region, false
			}
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt:
			if p.callBeside(region, cur) {
				return region, false
			}
			if kind := region.ParentEdgeKind(); kind == edge.IfStmt_Init || kind == edge.SwitchStmt_Init {
				return parent, isListed(parent)
			}
			return region, isListed(region)
		case ast.Stmt:
			return region, false
		}
		if n, ok := parent.Node().(*ast.IfStmt); ok {
			return parent, n.Init == nil && isListed(parent) && !p.callBeside(region, cur)
		}
		region = parent
	}
}

// callBeside reports whether the region has a call or receive with an effect that
// neither contains cur nor is part of it. A call that contains it begins later.
func (p *Package) callBeside(region, cur inspector.Cursor) (found bool) {
	region.Inspect([]ast.Node{(*ast.FuncLit)(nil), (*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)}, func(c inspector.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok || c == cur {
			return false
		}
		if !c.Contains(cur) {
			found = found || p.effects(c.Node())
		}
		return !found
	})
	return found
}
