package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// names chooses by which names new text refers to packages. In each declaration
// of a file that is an import the file has, if its name means the import at all
// places; the others share a new one.
type names struct {
	pass    *analysis.Pass
	file    *ast.File
	others  *otherFiles
	needs   map[string][]token.Pos // path to the places that refer to it
	chosen  map[reference]string   // local name, "." for a dot import
	fresh   map[string]string      // path to the name of the import that the file gets
	imports []*types.PkgName       // what the file imports
	total   map[*types.PkgName]int // references in the file, made on first use
}

// A reference is to a package from a declaration of the file.
type reference struct {
	path string
	decl token.Pos
}

// freshNames are what an import is called that the file does not have yet, or
// whose name something else has at one of the places: the first that is free.
var freshNames = map[string][]string{
	oldapi.NewAPI:    {"newapi", "amqpnewapi", "amqpfixnewapi"},
	oldapi.Compat091: {"amqp091", "amqpcompat", "amqpfixcompat"},
	"context":        {"context", "stdcontext"},
	"time":           {"time", "stdtime"},
}

func newNames(pass *analysis.Pass, file *ast.File, others *otherFiles) *names {
	n := &names{pass: pass, file: file, others: others, needs: make(map[string][]token.Pos), chosen: make(map[reference]string), fresh: make(map[string]string)}
	for _, spec := range file.Imports {
		if name := pass.TypesInfo.PkgNameOf(spec); name != nil {
			n.imports = append(n.imports, name)
		}
	}
	return n
}

// need says that the text at pos will refer to the package.
func (n *names) need(path string, pos token.Pos) { n.needs[path] = append(n.needs[path], pos) }

// qualified returns how to write a name of the package at pos. All needs must be
// known.
func (n *names) qualified(path, name string, pos token.Pos) string {
	switch local := n.local(path, pos); local {
	case ".":
		return name
	default:
		return local + "." + name
	}
}

// local returns the name by which the file has the package at pos.
func (n *names) local(path string, pos token.Pos) string {
	ref := reference{path, n.declaration(pos)}
	if name, ok := n.chosen[ref]; ok {
		return name
	}
	name := n.choose(ref)
	n.chosen[ref] = name
	return name
}

// declaration returns where the declaration around pos starts.
func (n *names) declaration(pos token.Pos) token.Pos {
	for _, decl := range n.file.Decls {
		if decl.Pos() <= pos && pos < decl.End() {
			return decl.Pos()
		}
	}
	return token.NoPos
}

func (n *names) choose(ref reference) string {
	for _, imp := range n.imports {
		if imp.Imported().Path() == ref.path && imp.Name() != "_" && n.everywhere(ref, imp) {
			return imp.Name()
		}
	}
	name, ok := n.fresh[ref.path]
	if !ok {
		name = n.chooseFresh(ref.path)
		n.fresh[ref.path] = name
	}
	return name
}

func (n *names) chooseFresh(p string) string {
	for _, name := range freshNames[p] {
		if n.free(p, name) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := path.Base(p) + strconv.Itoa(i); n.free(p, name) {
			return name
		}
	}
}

// written are the names that new text has of a package, for dot imports.
var written = map[string][]string{
	oldapi.NewAPI: {oldapi.NewProperties, oldapi.NewPublish, oldapi.NewPublishDeferred, oldapi.NewTable,
		oldapi.NewMandatory, oldapi.NewFlagsIf, oldapi.NewPersistent, oldapi.NewTransient},
	oldapi.Compat091: {oldapi.Header, oldapi.NewPublish, oldapi.NewPublishDeferred},
}

// everywhere reports whether the import is what its name means at every place of
// the declaration.
func (n *names) everywhere(ref reference, imp *types.PkgName) bool {
	dot := written[ref.path]
	return !slices.ContainsFunc(n.needs[ref.path], func(pos token.Pos) bool {
		if n.declaration(pos) != ref.decl {
			return false
		}
		if imp.Name() != "." {
			return n.lookup(imp.Name(), pos) != imp
		}
		return dot == nil || slices.ContainsFunc(dot, func(name string) bool {
			return n.lookup(name, pos) != imp.Imported().Scope().Lookup(name)
		})
	})
}

// free reports whether the name can be that of a new import: nothing has it in
// the file, at one of the places, or in the package, whatever it is built for.
func (n *names) free(path, name string) bool {
	for other, chosen := range n.fresh {
		if other != path && chosen == name {
			return false
		}
	}
	if n.pass.TypesInfo.Scopes[n.file].Lookup(name) != nil || n.pass.Pkg.Scope().Lookup(name) != nil {
		return false
	}
	return !slices.ContainsFunc(n.needs[path], func(pos token.Pos) bool { return n.lookup(name, pos) != nil }) && !n.others.declare(name)
}

// lookup returns what the name means at pos.
func (n *names) lookup(name string, pos token.Pos) types.Object {
	scope := n.pass.TypesInfo.Scopes[n.file].Innermost(pos)
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, pos)
	return obj
}

// universal reports whether the name has its predeclared meaning at pos.
func (n *names) universal(name string, pos token.Pos) bool {
	return n.lookup(name, pos) == types.Universe.Lookup(name)
}

// contextVar returns the innermost, last declared local variable of type
// context.Context that can be named at pos, or nil.
func (n *names) contextVar(pos token.Pos) *types.Var {
	for scope := n.pass.TypesInfo.Scopes[n.file].Innermost(pos); scope != nil && scope != n.pass.TypesInfo.Scopes[n.file]; scope = scope.Parent() {
		var last *types.Var
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.Var)
			if ok && isContext(obj.Type()) && n.lookup(name, pos) == obj && (last == nil || obj.Pos() > last.Pos()) {
				last = obj
			}
		}
		if last != nil {
			return last
		}
	}
	return nil
}

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Context" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// references counts the references to each import within the node.
func (n *names) references(node ast.Node) map[*types.PkgName]int {
	count := make(map[*types.PkgName]int)
	selected := make(map[*ast.Ident]bool)
	ast.Inspect(node, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			selected[x.Sel] = true
		case *ast.Ident:
			obj := n.pass.TypesInfo.Uses[x]
			if name, ok := obj.(*types.PkgName); ok {
				count[name]++
			} else if obj != nil && !selected[x] {
				if name := n.dotImport(obj); name != nil {
					count[name]++
				}
			}
		}
		return true
	})
	return count
}

// dotImport returns the dot import by which an unqualified name means obj.
func (n *names) dotImport(obj types.Object) *types.PkgName {
	if obj.Pkg() == nil || obj.Pkg() == n.pass.Pkg || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	for _, imp := range n.imports {
		if imp.Name() == "." && imp.Imported() == obj.Pkg() {
			return imp
		}
	}
	return nil
}

// totals returns how often the file refers to each import.
func (n *names) totals() map[*types.PkgName]int {
	if n.total == nil {
		n.total = n.references(n.file)
	}
	return n.total
}
