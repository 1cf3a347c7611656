package flow

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// importUse is a package that a file refers to.
type importUse struct {
	file *ast.File
	path string
}

// hold is how sure a reference keeps its import in the file.
type hold int

const (
	stays      hold = iota // no rewrite touches it
	inReceiver             // with the receiver of a creation, or be kept by a statement before
	inPlace                // with a creation among the arguments, which else is left
)

// keeper is the reference that keeps an import in the file.
type keeper struct {
	id   *ast.Ident
	hold hold
}

// lastUse reports whether e has the one reference that keeps an import in the
// file when all others that can be dropped are, and the import is not of the old
// API. Without it the import would go, and with that what the package does when
// it is initialised.
func (p *Package) lastUse(e ast.Expr) bool {
	if p.keepers == nil {
		p.indexKeepers()
	}
	last := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		last = last || ok && p.keepers[id]
		return !last
	})
	return last
}

// indexKeepers finds the references that must not be dropped: of each import
// that no rewrite leaves a reference to, the one that is easiest to keep.
func (p *Package) indexKeepers() {
	best := make(map[importUse]keeper)
	for file := range p.Root.Preorder((*ast.File)(nil)) {
		for cur := range file.Preorder((*ast.Ident)(nil)) {
			id := cur.Node().(*ast.Ident)
			use := importUse{file.Node().(*ast.File), p.imported(id)}
			if use.path == "" {
				continue
			}
			k := keeper{id, p.holds(cur)}
			if old, ok := best[use]; !ok || k.hold < old.hold {
				best[use] = k
			}
		}
	}
	p.keepers = make(map[*ast.Ident]bool)
	for _, k := range best {
		if k.hold != stays {
			p.keepers[k.id] = true
		}
	}
}

// imported returns the path of the package that the identifier names something
// of, "" for this package and the old API's.
func (p *Package) imported(id *ast.Ident) string {
	obj := p.Info.Uses[id]
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == p.Types || obj.Parent() != obj.Pkg().Scope() ||
		slices.Contains(oldapi.ImportPaths(), obj.Pkg().Path()) {
		return ""
	}
	return obj.Pkg().Path()
}

// holds returns what may become of the reference.
func (p *Package) holds(cur inspector.Cursor) hold {
	for ; cur.Valid() && cur.Node() != nil; cur = cur.Parent() {
		if _, ok := cur.Node().(ast.Stmt); ok {
			break
		}
		switch cur.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			if cur.Parent().Node().(*ast.SelectorExpr).Sel.Name != oldapi.CreateMethod {
				continue
			}
			if call, ok := called(cur.Parent()); ok && outOfParens(call).ParentEdgeKind() == edge.CallExpr_Args {
				return inPlace
			}
			return inReceiver
		}
	}
	return stays
}
