// Package shim finds out which files have to change their import of an AMQP
// client together.
//
// A file that changes its import path gives other types to what it declares. The
// change is sound if no value of such a type meets one of the old type: in an
// assignment, a call, a comparison, behind an interface or a dynamic type. Package
// shim over-approximates who may meet whom by a graph. Its nodes are files, and
// the variables, functions, fields and types whose own type mentions a swapped
// one; what appears together in one statement or declaration is connected. The
// connected components are the sets of files that move together or not at all.
//
// The graph is made of the facts of each package, which know nothing of the
// others; objects have the same name in the package that declares them and in
// those that use them.
package shim

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// A Node names a file or an object in the graph, or a group that has neither.
type Node string

// groupPrefix begins the names of groups, which only mean something together with
// the facts that have them.
const groupPrefix = "group "

// within returns the name that n of the facts with the index has in the graph.
func (n Node) within(index int) Node {
	if strings.HasPrefix(string(n), groupPrefix) {
		return Node(fmt.Sprintf("%s of %d", n, index))
	}
	return n
}

// Facts are what one package adds to the graph.
type Facts struct {
	Package string // import path
	Files   []File
	Groups  []Group
	Foreign []Foreign
	Exports []Export
	Blocks  []Block
	Boxes   []Box
	Opens   []Open

	Contexts []Contexts

	Directives plan.Result // what there is to say of ignore directives for the rule
}

// Contexts are the contexts of publishes in a file on channels of amqp091-go, which
// its versions below oldapi.ContextHonoured do not look at.
type Contexts struct {
	File    string
	Calls   []token.Position // of calls that the edits change
	Edits   []plan.Edit      // by which no context that is done keeps a message back
	Imports []plan.Import    // of the edits
	Others  []token.Position // of calls and method values that no edit changes
}

// A Group is what appears together in one statement or declaration.
type Group struct {
	File  string
	Nodes []Node
}

// A File is one that imports a module.
type File struct {
	Name  string // as the loader named it
	Node  Node
	Specs []Spec
	Moves bool // uses a type that is swapped; else it keeps its import
}

// A Spec is an import of a module.
type Spec struct {
	Module string // its import path
	Own    bool   // its errors are not those of its replacement
	Pos    token.Position
	End    token.Position
	Path   [2]int // offsets of the quoted path
	Named  bool   // has a name of its own
}

// Foreign is a use of an object that some package declares and whose type
// mentions a swapped one. It is only foreign if that package does not move.
type Foreign struct {
	Node    Node
	Package string
	Name    string // for reports: "pkg.Func", "pkg.Type.Method"
	Pos     token.Position
}

// An Export is a declaration that code outside the module may use, and whose type
// mentions a swapped one.
type Export struct {
	Node    Node
	Package string
	Name    string // "Func", "Type.Method", "Type.Field"
	Pos     token.Position
}

// A Block is a reason for which the set of a node stays as it is.
type Block struct {
	Node     Node
	Category string
	Why      string // a clause with its subject
	Pos      token.Position
}

// A Box is a place where a value whose type mentions a swapped one becomes an
// interface that does not. It may meet an Open of the same type.
type Box struct {
	Node     Node
	Type     string // the swapped type
	Any      bool   // the interface has no methods
	Function bool   // the value is a function: somebody may call it by reflection
}

// An Open is a place where an interface's dynamic type is compared with one that
// mentions a swapped type.
type Open struct {
	Node Node
	Type string
	Any  bool
}

// A Set is a set of files that change their imports together.
type Set struct {
	Files   []File   // that move, by name
	Near    []string // names of all files in which its values occur, sorted
	Exports []Export
	Block   *Block // why it stays; nil if it moves
}

// Options say what may move.
type Options struct {
	// Main reports whether a package is of a module that is changed as a whole.
	Main func(pkgPath string) bool

	// Exported lets exported declarations change, of the packages for which it
	// returns true.
	Exported func(pkgPath string) bool
}

// Sets puts the facts of all packages together.
func Sets(all []*Facts, o Options) []Set {
	g := make(graph)
	for i, f := range all {
		for _, group := range f.Groups {
			nodes := make([]Node, len(group.Nodes))
			for j, n := range group.Nodes {
				nodes[j] = n.within(i)
			}
			g.connect(nodes...)
		}
	}
	// The errors and error values of a module without common vocabulary come out of
	// connections as error, and are told by type or identity anywhere.
	own := make(map[string]Node)
	for _, f := range all {
		for _, file := range f.Files {
			for _, spec := range file.Specs {
				if !spec.Own {
					continue
				}
				if first, ok := own[spec.Module]; ok {
					g.connect(first, file.Node)
				}
				own[spec.Module] = file.Node
			}
		}
	}
	opened := make(map[box]Node)
	for i, f := range all {
		for _, open := range f.Opens {
			key := box{open.Type, open.Any}
			if first, ok := opened[key]; ok {
				g.connect(first, open.Node.within(i))
			}
			opened[key] = open.Node.within(i)
		}
	}
	called := make(map[string]Node) // functions that reflection may call
	for i, f := range all {
		for _, b := range f.Boxes {
			n := b.Node.within(i)
			if open, ok := opened[box{b.Type, b.Any}]; ok {
				g.connect(open, n)
			}
			if b.Function {
				if first, ok := called[b.Type]; ok {
					g.connect(first, n)
				}
				called[b.Type] = n
			}
		}
	}
	return g.sets(all, o)
}

type box struct {
	typ string
	any bool
}

// A graph is a forest of nodes with links to their parents.
type graph map[Node]Node

// root returns the node that stands for the component of n.
func (g graph) root(n Node) Node {
	for {
		parent, ok := g[n]
		if !ok || parent == n {
			return n
		}
		if grand, ok := g[parent]; ok {
			g[n] = grand
		}
		n = parent
	}
}

func (g graph) connect(nodes ...Node) {
	for _, n := range nodes[min(1, len(nodes)):] {
		if a, b := g.root(nodes[0]), g.root(n); a != b {
			g[b] = a
		}
	}
}

func (g graph) sets(all []*Facts, o Options) []Set {
	sets := make(map[Node]*Set)
	of := func(n Node) *Set {
		root := g.root(n)
		if sets[root] == nil {
			sets[root] = new(Set)
		}
		return sets[root]
	}
	// A reason that is found first is kept: those that the user can do least
	// about come first.
	block := func(b Block) {
		if s := of(b.Node); s.Block == nil {
			s.Block = &b
		}
	}
	for _, f := range all {
		for _, file := range f.Files {
			if file.Moves {
				s := of(file.Node)
				s.Files = append(s.Files, file)
			}
		}
		for _, b := range f.Blocks {
			block(b)
		}
	}
	for _, f := range all {
		for _, use := range f.Foreign {
			if o.Main(use.Package) {
				continue
			}
			block(Block{
				Node:     use.Node,
				Category: plan.ThirdPartyType,
				Why:      use.Name + " is compiled with the old module",
				Pos:      use.Pos,
			})
		}
	}
	for _, f := range all {
		for _, e := range f.Exports {
			s := of(e.Node)
			s.Exports = append(s.Exports, e)
			if o.Exported(e.Package) {
				continue
			}
			block(Block{
				Node:     e.Node,
				Category: plan.ExportedSignature,
				Why:      e.Name + " is exported and no main package of the module uses it; -exported moves it anyway",
				Pos:      e.Pos,
			})
		}
	}
	for i, f := range all {
		for _, group := range f.Groups {
			s := of(group.Nodes[0].within(i))
			s.Near = append(s.Near, group.File)
		}
	}
	return sorted(sets)
}
