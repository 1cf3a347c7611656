package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Open is New for a package that need not reach the old API of package compat:
// its result answers questions about effects and variables, and knows of no
// properties values.
func Open(fset *token.FileSet, pkg *types.Package, info *types.Info, root inspector.Cursor) *Package {
	return &Package{
		Info:    info,
		Types:   pkg,
		Root:    root,
		Fset:    fset,
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

// Fixed reports whether e is movable and every variable that it mentions is a
// local one that is never assigned after its declaration, so that e has one value
// in each life of its variables. Results have another when the function returns,
// and before Go 1.22 the variables of a range clause in each iteration.
func (p *Package) Fixed(e ast.Expr) bool {
	fixed := p.movable(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := p.Info.Uses[id].(*types.Var); ok && isLocal(v) {
				f := p.facts(v)
				fixed = fixed && f.assigned == 0 && v.Kind() != types.ResultVar && !(f.ranges && p.before122(id.Pos()))
			}
		}
		return fixed
	})
	return fixed
}

// before122 reports whether the file around pos has a loop's variables live as
// long as the loop.
func (p *Package) before122(pos token.Pos) bool {
	for file, v := range p.Info.FileVersions {
		if file.FileStart <= pos && pos < file.FileEnd {
			return version.Compare(v, "go1.22") < 0
		}
	}
	return true
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

// HasGoto reports whether the function around cur has a goto statement, which may
// not jump over a declaration.
func (p *Package) HasGoto(cur inspector.Cursor) bool { return p.hasGoto(cur) }

// At returns an object's declaration as the place of a Refusal.
func At(obj types.Object) ast.Node { return objectNode{obj} }

// First reports whether the statement of a list that cur is part of has nothing
// with an effect but cur and nothing that is certainly found before cur, and
// evaluates it once each time that it runs. It returns the statement.
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
// neither contains cur nor is part of it, or before cur another operand that is
// found in its place and not the same at any time. A call that contains cur begins
// later.
func (p *Package) callBeside(region, cur inspector.Cursor) (found bool) {
	region.Inspect([]ast.Node{
		(*ast.FuncLit)(nil), (*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil), (*ast.BinaryExpr)(nil),
		(*ast.TypeAssertExpr)(nil), (*ast.SliceExpr)(nil), (*ast.CompositeLit)(nil),
	}, func(c inspector.Cursor) bool {
		if _, ok := c.Node().(*ast.FuncLit); ok || c == cur {
			return false
		}
		if e, ok := c.Node().(ast.Expr); ok && !c.Contains(cur) {
			before := e.Pos() < cur.Node().Pos()
			found = found || p.effects(e) || before && p.inPlace(e) && !p.movable(e)
		}
		return !found
	})
	return found
}

// inPlace reports whether the operation that e is takes place where e stands
// among the calls beside it.
func (p *Package) inPlace(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.LAND || e.Op == token.LOR
	case *ast.TypeAssertExpr, *ast.SliceExpr:
		return true
	case *ast.CompositeLit:
		_, isMap := p.Info.TypeOf(e).Underlying().(*types.Map)
		return isMap
	case *ast.CallExpr:
		return !p.Info.Types[e.Fun].IsType() || p.matters(e)
	}
	return false
}
