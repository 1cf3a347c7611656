package driver

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// fingerprint describes all that importers of the package can see of it, the
// definitions of types they reach through it included, and nothing else: no
// positions, no function bodies. Types of the standard library and of other
// modules are named, not described, since a run does not change them.
func (c *checked) fingerprint() string {
	if c.api == "" {
		d := describer{paths: c.mainPaths, seen: make(map[types.Object]bool), visited: make(map[types.Type]bool)}
		scope := c.types.Scope()
		for _, name := range scope.Names() {
			if obj := scope.Lookup(name); obj.Exported() {
				d.object(obj)
			}
		}
		slices.Sort(d.lines)
		c.api = strings.Join(d.lines, "\n") + "\n"
	}
	return c.api
}

// A describer collects one line for each object that importers can reach.
type describer struct {
	paths   map[string]bool // of the packages that a run may change
	seen    map[types.Object]bool
	visited map[types.Type]bool
	lines   []string
}

func path(p *types.Package) string { return p.Path() }

func (d *describer) addf(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *describer) object(obj types.Object) {
	if obj == nil || d.seen[obj] {
		return
	}
	d.seen[obj] = true
	name := types.ObjectString(obj, path)
	switch obj := obj.(type) {
	case *types.Const:
		d.addf("%s = %s", name, obj.Val().ExactString())
	case *types.TypeName:
		d.typeName(obj)
		return
	default:
		d.addf("%s", name)
	}
	d.visit(obj.Type())
}

// typeName describes a defined type or alias, its fields and methods, exported
// or not: unexported ones decide about assignability and interfaces too.
func (d *describer) typeName(obj *types.TypeName) {
	d.addf("%s", types.ObjectString(obj, path))
	named, ok := obj.Type().(*types.Named)
	if !ok {
		d.visit(obj.Type())
		return
	}
	qualified := types.TypeString(named, path)
	d.addf("under %s %s", qualified, types.TypeString(named.Underlying(), path))
	d.visit(named.Underlying())
	for i := range named.TypeParams().Len() {
		p := named.TypeParams().At(i)
		d.addf("param %s %d %s", qualified, i, types.TypeString(p.Constraint(), path))
		d.visit(p.Constraint())
	}
	for m := range named.Methods() {
		d.addf("%s", types.ObjectString(m, path))
		d.visit(m.Type())
	}
}

// visit describes the named types that t mentions.
func (d *describer) visit(t types.Type) {
	if t == nil || d.visited[t] {
		return
	}
	d.visited[t] = true
	switch t := t.(type) {
	case *types.Alias:
		d.named(t.Obj())
		for a := range t.TypeArgs().Types() {
			d.visit(a)
		}
		d.visit(types.Unalias(t))
	case *types.Named:
		d.named(t.Origin().Obj())
		for a := range t.TypeArgs().Types() {
			d.visit(a)
		}
	case *types.TypeParam:
		d.visit(t.Constraint())
	case *types.Pointer:
		d.visit(t.Elem())
	case *types.Slice:
		d.visit(t.Elem())
	case *types.Array:
		d.visit(t.Elem())
	case *types.Chan:
		d.visit(t.Elem())
	case *types.Map:
		d.visit(t.Key())
		d.visit(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			d.visit(v.Type())
		}
	case *types.Signature:
		d.visit(t.Params())
		d.visit(t.Results())
		for p := range t.TypeParams().TypeParams() {
			d.visit(p)
		}
	case *types.Struct:
		for f := range t.Fields() {
			d.visit(f.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			d.visit(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			d.visit(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			d.visit(term.Type())
		}
	}
}

// named describes a type that something reached mentions, if a run can change
// it.
func (d *describer) named(obj *types.TypeName) {
	if p := obj.Pkg(); p != nil && d.paths[p.Path()] {
		d.object(obj)
	}
}
