package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// describe returns the exported API of pkg, one line a fact, sorted:
//
//	const Mandatory PublishFlag = 1
//	func FlagsIf(mandatory bool, immediate bool) PublishFlag
//	method (*Channel) Ack(tag uint64, multiple bool) error
//	type Config struct
//	type Config struct, Heartbeat time.Duration
//	type Table = amqp091.Table
//	var ErrNacked error
//
// Methods that come from an embedded field are the type's own. Parameters keep
// their names, since these tell the meaning of an order.
func describe(pkg *types.Package) []string {
	d := describer{pkg: pkg}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			d.addf("const %s %s = %s", name, d.typ(obj.Type()), obj.Val().ExactString())
		case *types.Var:
			d.addf("var %s %s", name, d.typ(obj.Type()))
		case *types.Func:
			d.addf("func %s%s", name, d.signature(obj.Signature()))
		case *types.TypeName:
			d.typeName(obj)
		}
	}
	slices.Sort(d.lines)
	return d.lines
}

type describer struct {
	pkg   *types.Package
	lines []string
}

func (d *describer) addf(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// typ writes a type as the package itself would: other packages by their names.
func (d *describer) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == d.pkg {
			return ""
		}
		return p.Name()
	})
}

// signature writes type parameters, parameters and results.
func (d *describer) signature(sig *types.Signature) string {
	return strings.TrimPrefix(d.typ(sig), "func")
}

func (d *describer) typeName(obj *types.TypeName) {
	if obj.IsAlias() {
		d.addf("type %s%s = %s", obj.Name(), d.typeParams(obj.Type()), d.typ(obj.Type().(*types.Alias).Rhs()))
		return
	}
	decl := "type " + obj.Name() + d.typeParams(obj.Type())
	switch t := obj.Type().Underlying().(type) {
	case *types.Struct:
		d.addf("%s struct", decl)
		d.fields(decl, t)
	case *types.Interface:
		d.addf("%s interface", decl)
		d.elements(decl, t)
		return // its methods are its elements
	default:
		d.addf("%s %s", decl, d.typ(t))
	}
	d.methods(obj.Type().(*types.Named))
}

// typeParams writes the type parameters of a declaration, with constraints.
func (d *describer) typeParams(t types.Type) string {
	generic, ok := t.(interface{ TypeParams() *types.TypeParamList })
	if !ok {
		return ""
	}
	return brackets(generic.TypeParams(), func(p *types.TypeParam) string {
		return p.Obj().Name() + " " + d.typ(p.Constraint())
	})
}

func brackets(params *types.TypeParamList, write func(*types.TypeParam) string) string {
	if params.Len() == 0 {
		return ""
	}
	var all []string
	for p := range params.TypeParams() {
		all = append(all, write(p))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func (d *describer) fields(decl string, s *types.Struct) {
	for f := range s.Fields() {
		switch {
		case !f.Exported():
		case f.Embedded():
			d.addf("%s struct, embedded %s", decl, d.typ(f.Type()))
		default:
			d.addf("%s struct, %s %s", decl, f.Name(), d.typ(f.Type()))
		}
	}
}

// elements describes an interface's methods, those of embedded interfaces among
// them, and the types that it is limited to.
func (d *describer) elements(decl string, i *types.Interface) {
	hidden := false
	for m := range i.Methods() {
		if m.Exported() {
			d.addf("%s interface, %s%s", decl, m.Name(), d.signature(m.Signature()))
		} else {
			hidden = true
		}
	}
	if hidden {
		d.addf("%s interface, unexported methods", decl)
	}
	for e := range i.EmbeddedTypes() {
		if inner, ok := e.Underlying().(*types.Interface); !ok || !inner.IsMethodSet() {
			d.addf("%s interface, %s", decl, d.typ(e))
		}
	}
}

// methods describes the method set of a pointer to t, and says which of them a
// value has, too.
func (d *describer) methods(t *types.Named) {
	receiver := t.Obj().Name() + brackets(t.TypeParams(), (*types.TypeParam).String)
	values := types.NewMethodSet(t)
	for sel := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		m := sel.Obj()
		if !m.Exported() {
			continue
		}
		star := "*"
		if values.Lookup(m.Pkg(), m.Name()) != nil {
			star = ""
		}
		d.addf("method (%s%s) %s%s", star, receiver, m.Name(), d.signature(sel.Type().(*types.Signature)))
	}
}
