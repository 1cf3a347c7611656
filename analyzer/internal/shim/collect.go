package shim

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/objectpath"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// Collect returns the facts of a package, as found without the named one of Rules.
func Collect(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info, without string) *Facts {
	c := &collector{
		mentioner: mentioner{make(map[types.Type][]string), without},
		fset:      fset,
		pkg:       pkg,
		info:      info,
		facts:     &Facts{Package: pkg.Path()},
		nodes:     make(map[types.Object]Node),
		owners:    make(map[*types.Package]map[*types.Var]string),
	}
	for _, file := range files {
		c.file(file)
	}
	return c.facts
}

// A collector collects the facts of a package.
type collector struct {
	mentioner
	fset    *token.FileSet
	pkg     *types.Package
	info    *types.Info
	facts   *Facts
	nodes   map[types.Object]Node
	encoder objectpath.Encoder
	owners  map[*types.Package]map[*types.Var]string // types of fields, by module

	fileName string
	fileNode Node
	moves    bool // the file uses a swapped type
	anchors  int
	test     bool // it is a test file
}

func (c *collector) file(file *ast.File) {
	name := c.fset.File(file.FileStart).Name()
	f := File{Name: name, Node: Node("file " + name)}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		m, ok := oldapi.ModuleOf(path)
		if !ok || spec.Name != nil && spec.Name.Name == "_" && !m.OwnOnly && c.on("blank") {
			continue
		}
		start := c.fset.PositionFor(spec.Path.Pos(), false)
		f.Specs = append(f.Specs, Spec{
			Module: path,
			Own:    m.OwnOnly && c.on("own-errors"),
			Pos:    c.fset.PositionFor(spec.Pos(), false),
			End:    c.fset.PositionFor(spec.Path.End(), false),
			Path:   [2]int{start.Offset, start.Offset + len(spec.Path.Value)},
			Named:  spec.Name != nil || !c.on("name"),
		})
		if spec.Name != nil && spec.Name.Name == "." && path == oldapi.Upstream && c.on("dot-names") {
			c.broughtNames(f.Node, file, spec)
		}
		f.Moves = f.Moves || c.own(m) || !c.on("blank") && spec.Name != nil && spec.Name.Name == "_"
	}
	c.fileName, c.fileNode, c.moves = name, f.Node, false
	c.test = strings.HasSuffix(name, "_test.go")
	for _, decl := range file.Decls {
		c.decl(decl)
	}
	if len(f.Specs) > 0 {
		f.Moves = f.Moves || c.moves
		c.facts.Files = append(c.facts.Files, f)
	}
}

// own reports whether every use of the module counts, for none of its types is one
// of its replacement.
func (c *collector) own(m oldapi.Module) bool { return m.OwnOnly && c.on("own-only") }

// node returns the node of an object. One that other packages can name has its
// path; any other has its place.
func (c *collector) node(obj types.Object) Node {
	if n, ok := c.nodes[obj]; ok {
		return n
	}
	n := Node("object at " + c.fset.PositionFor(obj.Pos(), false).String() + " " + obj.Name())
	if v, ok := obj.(*types.Var); !ok || v.IsField() || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
		if path, err := c.encoder.For(obj); err == nil {
			n = Node("object " + obj.Pkg().Path() + " " + string(path))
		}
	}
	c.nodes[obj] = n
	return n
}

// origin returns the object that an instance of a generic one was made of.
func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}

// A group is what is connected: the objects and types of one statement.
type group struct {
	c     *collector
	nodes []Node
	iface bool       // a value or type in it is an interface that mentions a swapped type
	exprs []ast.Expr // the expressions in it
}

func (c *collector) newGroup() *group { return &group{c: c} }

func (g *group) add(n Node) { g.nodes = append(g.nodes, n) }

// anchor returns a node for the group.
func (g *group) anchor() Node {
	if len(g.nodes) == 0 {
		g.c.anchors++
		g.add(Node(fmt.Sprintf("%s%d", groupPrefix, g.c.anchors)))
	}
	return g.nodes[0]
}

// close connects the group.
func (g *group) close() {
	if g.iface && g.c.on("interfaces") {
		for _, e := range g.exprs {
			for _, fn := range g.c.methods(g.c.info.TypeOf(e)) {
				g.object(fn, e.Pos())
			}
		}
	}
	if !g.c.on("statements") && len(g.nodes) > 1 {
		g.nodes = g.nodes[:1]
	}
	if len(g.nodes) > 0 {
		g.c.facts.Groups = append(g.c.facts.Groups, Group{g.c.fileName, g.nodes})
	}
}

// object adds what is declared or used.
func (g *group) object(obj types.Object, at token.Pos) {
	c := g.c
	switch obj.(type) {
	case nil, *types.PkgName, *types.Builtin, *types.Nil, *types.Label:
		return
	}
	obj = origin(obj)
	if m, ok := oldapi.ModuleOf(path(obj)); ok {
		g.member(m, obj, at)
		return
	}
	mentioned := c.mentions(obj.Type())
	if len(mentioned) == 0 {
		return
	}
	g.iface = g.iface || types.IsInterface(obj.Type())
	if sig, ok := obj.Type().(*types.Signature); ok {
		for v := range sig.Params().Variables() {
			g.iface = g.iface || types.IsInterface(v.Type()) && len(c.mentions(v.Type())) > 0
		}
		for v := range sig.Results().Variables() {
			g.iface = g.iface || types.IsInterface(v.Type()) && len(c.mentions(v.Type())) > 0
		}
	}
	n := c.node(obj)
	g.add(n)
	if obj.Pkg() != nil && obj.Pkg() != c.pkg && c.on("third-party") {
		c.facts.Foreign = append(c.facts.Foreign, Foreign{
			Node:    n,
			Package: obj.Pkg().Path(),
			Name:    obj.Pkg().Name() + "." + memberName(obj),
			Pos:     c.fset.PositionFor(at, false),
		})
	}
}

// member adds what a module declares.
func (g *group) member(m oldapi.Module, obj types.Object, at token.Pos) {
	c := g.c
	name := obj.Name()
	switch o := obj.(type) {
	case *types.TypeName:
		if swapped(o) == "" || !c.on("types") {
			return
		}
	case *types.Func:
		recv := o.Signature().Recv()
		if recv == nil {
			if !c.own(m) && len(c.mentions(o.Type())) == 0 || !c.on("functions") {
				return
			}
			break
		}
		t := typeName(recv.Type())
		if t == nil || swapped(t) == "" || !c.on("members") {
			return
		}
		name = t.Name() + "." + name
	case *types.Var:
		if o.IsField() {
			t := c.fieldOwner(o)
			if t == "" || !m.Swapped(t) || !c.on("members") {
				return
			}
			name = t + "." + name
		} else if !c.own(m) && len(c.mentions(o.Type())) == 0 {
			return
		}
	default:
		if !c.own(m) {
			return
		}
	}
	c.moves = true
	g.add(c.fileNode)
	if oldapi.Recovers(name) && m.Path == oldapi.Upstream && c.on("recovery") {
		c.facts.Blocks = append(c.facts.Blocks, Block{
			Node:     c.fileNode,
			Category: plan.Recovery,
			Why:      name + " has connections recovered, which compat/amqp091 does not do yet",
			Pos:      c.fset.PositionFor(at, false),
		})
	}
}

// fieldOwner returns the name of the struct type of a module that has the field.
func (c *collector) fieldOwner(field *types.Var) string {
	owners := c.owners[field.Pkg()]
	if owners == nil {
		owners = make(map[*types.Var]string)
		scope := field.Pkg().Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok {
				if s, ok := t.Type().Underlying().(*types.Struct); ok {
					for f := range s.Fields() {
						owners[f] = name
					}
				}
			}
		}
		c.owners[field.Pkg()] = owners
	}
	return owners[field]
}

func typeName(t types.Type) *types.TypeName {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// memberName returns "Name" or "Type.Name".
func memberName(obj types.Object) string {
	if fn, ok := obj.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			if t := typeName(recv.Type()); t != nil {
				return fmt.Sprintf("%s.%s", t.Name(), fn.Name())
			}
		}
	}
	return obj.Name()
}
