package analyzer

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// ids names units so that what an earlier pass has rewritten does not change
// the name of what it has not: by the function and the variable, and by a number
// that counts what rewriting leaves in place.
type ids struct {
	pass   *analysis.Pass
	number map[ast.Node]int // of variables by their identifier, of publishes by their selector
}

// newIDs numbers what the package has. counts says which names are those of a publish, old or new.
func newIDs(pass *analysis.Pass, counts func(name string) bool) *ids {
	n := &ids{pass: pass, number: make(map[ast.Node]int)}
	count := make(map[string]int)
	for _, file := range pass.Files {
		in := pass.Pkg.Path() + ".init"
		for _, decl := range file.Decls {
			name := in
			if fn, ok := decl.(*ast.FuncDecl); ok {
				name = n.function(fn)
			}
			ast.Inspect(decl, func(node ast.Node) bool {
				id, ok := node.(*ast.Ident)
				if !ok {
					return true
				}
				_, local := pass.TypesInfo.Defs[id].(*types.Var)
				publish := counts(id.Name)
				if local || publish {
					key := name + "/" + id.Name
					if publish {
						key = name + "/()"
					}
					count[key]++
					n.number[id] = count[key]
				}
				return true
			})
		}
	}
	return n
}

// function returns "path.Name" or "path.(*Type).Name".
func (n *ids) function(fn *ast.FuncDecl) string {
	name := fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		name = receiver(fn.Recv.List[0].Type) + "." + name
	}
	return n.pass.Pkg.Path() + "." + name
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "(*" + receiver(e.X) + ")"
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// enclosing returns the name of the declared function around cur.
func (n *ids) enclosing(cur inspector.Cursor) string {
	for fn := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		return n.function(fn.Node().(*ast.FuncDecl))
	}
	return n.pass.Pkg.Path() + ".init"
}

// call returns the ID of the unit that rewrites the publish with the selector.
func (n *ids) call(cur inspector.Cursor, sel *ast.SelectorExpr) string {
	return n.numbered(cur, "publish", n.number[sel.Sel])
}

func (n *ids) numbered(cur inspector.Cursor, name string, number int) string {
	id := n.enclosing(cur) + "/" + name
	if number > 1 {
		id = fmt.Sprintf("%s#%d", id, number)
	}
	return id
}

// of returns the ID of the unit that rewrites the site.
func (n *ids) of(s *site) string {
	name, number := "publish", n.number[s.Select.Sel]
	if v := s.Arg.Value; v != nil {
		name, number = v.Var.Name(), n.number[v.Def()]
	}
	return n.numbered(s.Cur, name, number)
}
