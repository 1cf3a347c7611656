package shim

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A result is the function around a return statement.
type result struct {
	obj  *types.Func   // a declared function
	lit  *ast.FuncType // a literal's type
	sign *types.Signature
}

func (c *collector) decl(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			c.spec(spec)
		}
	case *ast.FuncDecl:
		fn, _ := c.info.Defs[d.Name].(*types.Func)
		if d.Recv != nil {
			g := c.newGroup()
			g.expr(d.Recv)
			g.close()
		}
		g := c.newGroup()
		g.expr(d.Name)
		g.expr(d.Type)
		g.close()
		if fn == nil {
			return
		}
		if len(c.mentions(fn.Type())) > 0 {
			c.export(fn, memberName(fn), receiverExported(fn))
		}
		c.stmt(d.Body, result{obj: fn, sign: fn.Signature()})
	}
}

func receiverExported(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	t := typeName(recv.Type())
	return t != nil && t.Exported()
}

// export notes a declaration that other modules may use.
func (c *collector) export(obj types.Object, name string, reachable bool) {
	if !reachable && c.on("unexported") || !obj.Exported() || !c.on("exported") {
		return
	}
	hidden := c.test || c.pkg.Name() == "main" || strings.HasSuffix(c.pkg.Name(), "_test") ||
		slices.Contains(strings.Split(c.pkg.Path(), "/"), "internal")
	if hidden && c.on("internal") {
		return
	}
	c.facts.Exports = append(c.facts.Exports, Export{
		Node:    c.node(obj),
		Package: c.pkg.Path(),
		Name:    name,
		Pos:     c.fset.PositionFor(obj.Pos(), false),
	})
}

func (c *collector) spec(spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		g := c.newGroup()
		for _, name := range s.Names {
			g.expr(name)
			if obj := c.info.Defs[name]; obj != nil && obj.Parent() == c.pkg.Scope() && len(c.mentions(obj.Type())) > 0 {
				c.export(obj, obj.Name(), true)
			}
		}
		g.expr(s.Type)
		for i, value := range s.Values {
			g.expr(value)
			if i < len(s.Names) {
				g.box(c.info.TypeOf(s.Names[i]), value)
			}
		}
		g.close()
	case *ast.TypeSpec:
		obj, _ := c.info.Defs[s.Name].(*types.TypeName)
		if st, ok := s.Type.(*ast.StructType); ok && c.on("fields") {
			c.fields(obj, st)
			if s.TypeParams != nil {
				g := c.newGroup()
				g.expr(s.Name)
				g.expr(s.TypeParams)
				g.close()
			}
			return
		}
		g := c.newGroup()
		g.expr(s.Name)
		g.expr(s.TypeParams)
		g.expr(s.Type)
		g.close()
		if obj != nil && obj.Parent() == c.pkg.Scope() && len(c.mentions(obj.Type())) > 0 {
			c.export(obj, obj.Name(), true)
		}
	}
}

// fields connects each field of a struct with its type. The fields are not
// connected with each other: a struct type with a name is one type, whatever its
// fields are.
func (c *collector) fields(of *types.TypeName, st *ast.StructType) {
	for _, field := range st.Fields.List {
		g := c.newGroup()
		g.expr(field.Type)
		var vars []types.Object
		for _, name := range field.Names {
			g.expr(name)
			vars = append(vars, c.info.Defs[name])
		}
		if len(field.Names) == 0 {
			if v := embedded(c.info.TypeOf(st), c.info.TypeOf(field.Type)); v != nil {
				g.object(v, field.Pos())
				vars = append(vars, v)
			}
		}
		g.close()
		for _, v := range vars {
			if v != nil && of != nil && of.Parent() == c.pkg.Scope() && len(c.mentions(v.Type())) > 0 {
				c.export(v, of.Name()+"."+v.Name(), of.Exported())
			}
		}
	}
}

// embedded returns the embedded field of a struct that has the type.
func embedded(st, t types.Type) *types.Var {
	s, ok := st.(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Embedded() && types.Identical(f.Type(), t) {
			return f
		}
	}
	return nil
}

// stmt connects what each statement has.
func (c *collector) stmt(stmt ast.Stmt, in result) {
	one := func(nodes ...ast.Node) {
		g := c.newGroup()
		for _, n := range nodes {
			g.expr(n)
		}
		g.close()
	}
	list := func(stmts []ast.Stmt) {
		for _, s := range stmts {
			c.stmt(s, in)
		}
	}
	switch s := stmt.(type) {
	case nil:
	case *ast.BlockStmt:
		if s != nil {
			list(s.List)
		}
	case *ast.LabeledStmt:
		c.stmt(s.Stmt, in)
	case *ast.IfStmt:
		c.stmt(s.Init, in)
		one(s.Cond)
		c.stmt(s.Body, in)
		c.stmt(s.Else, in)
	case *ast.ForStmt:
		c.stmt(s.Init, in)
		one(s.Cond)
		c.stmt(s.Post, in)
		c.stmt(s.Body, in)
	case *ast.RangeStmt:
		one(s.Key, s.Value, s.X)
		c.stmt(s.Body, in)
	case *ast.SwitchStmt:
		c.stmt(s.Init, in)
		nodes := []ast.Node{s.Tag}
		for _, clause := range s.Body.List {
			for _, e := range clause.(*ast.CaseClause).List {
				nodes = append(nodes, e)
			}
		}
		one(nodes...)
		for _, clause := range s.Body.List {
			list(clause.(*ast.CaseClause).Body)
		}
	case *ast.TypeSwitchStmt:
		c.stmt(s.Init, in)
		c.typeSwitch(s, in)
	case *ast.SelectStmt:
		for _, clause := range s.Body.List {
			comm := clause.(*ast.CommClause)
			c.stmt(comm.Comm, in)
			list(comm.Body)
		}
	case *ast.DeclStmt:
		c.decl(s.Decl)
	case *ast.ReturnStmt:
		c.results(s, in)
	default:
		one(s)
	}
}

func (c *collector) typeSwitch(s *ast.TypeSwitchStmt, in result) {
	var operand ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		operand = a.X.(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		operand = a.Rhs[0].(*ast.TypeAssertExpr).X
	}
	for _, stmt := range s.Body.List {
		clause := stmt.(*ast.CaseClause)
		g := c.newGroup()
		g.expr(operand)
		for _, t := range clause.List {
			g.expr(t)
			if c.on("type-switches") {
				g.open(operand, t)
			}
		}
		if v := c.info.Implicits[clause]; v != nil {
			g.object(v, clause.Pos())
		}
		g.close()
		for _, s := range clause.Body {
			c.stmt(s, in)
		}
	}
}

// results connects what is returned with the results of the function.
func (c *collector) results(s *ast.ReturnStmt, in result) {
	g := c.newGroup()
	for i, e := range s.Results {
		g.expr(e)
		if in.sign != nil && len(s.Results) == in.sign.Results().Len() {
			g.box(in.sign.Results().At(i).Type(), e)
		}
	}
	switch {
	case in.lit != nil:
		g.expr(in.lit.Results)
	case in.obj != nil && c.on("results") && len(c.mentions(in.obj.Signature().Results())) > 0:
		g.object(in.obj, s.Pos())
	}
	g.close()
}
