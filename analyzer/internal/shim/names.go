package shim

import (
	"go/ast"
	"go/types"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
	"github.com/amqpfix/amqpfix/analyzer/internal/plan"
)

// broughtNames blocks a file in which a dot import would bring a name that the
// package, or another dot import of the file, has.
func (c *collector) broughtNames(node Node, file *ast.File, dot *ast.ImportSpec) {
	for _, name := range oldapi.Brought() {
		obj := c.pkg.Scope().Lookup(name)
		for _, spec := range file.Imports {
			if imp := c.info.PkgNameOf(spec); imp != nil && imp.Name() == "." && spec != dot && obj == nil {
				obj = imp.Imported().Scope().Lookup(name)
			}
		}
		if obj == nil {
			continue
		}
		c.facts.Blocks = append(c.facts.Blocks, Block{
			Node:     node,
			Category: plan.NameClash,
			Why:      "the dot import would bring another " + name,
			Pos:      c.fset.PositionFor(obj.Pos(), false),
		})
		return
	}
}

// promotedName blocks a selection of what is promoted from an embedded field, if a
// channel or a connection that is embedded as deep or less deep gains a method of
// that name.
func (c *collector) promotedName(sel *ast.SelectorExpr) {
	selection := c.info.Selections[sel]
	if selection == nil {
		return
	}
	level := []types.Type{selection.Recv()}
	for range len(selection.Index()) - 1 {
		var next []types.Type
		for _, t := range level {
			for _, field := range embeddedFields(t) {
				next = append(next, field.Type())
				owner := typeName(field.Type())
				if owner == nil {
					continue
				}
				m, ok := oldapi.ModuleOf(path(owner))
				if !ok || !m.Gains(owner.Name(), sel.Sel.Name) {
					continue
				}
				c.facts.Blocks = append(c.facts.Blocks, Block{
					Node:     c.node(field.Origin()),
					Category: plan.NameClash,
					Why:      sel.Sel.Name + " would be a method of the embedded " + owner.Name() + ", too",
					Pos:      c.fset.PositionFor(sel.Sel.Pos(), false),
				})
				return
			}
		}
		level = next
	}
}

// embeddedFields returns the embedded fields of the struct that t is or points to.
func embeddedFields(t types.Type) (fields []*types.Var) {
	t = t.Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	if s, ok := t.(*types.Struct); ok {
		for field := range s.Fields() {
			if field.Embedded() {
				fields = append(fields, field)
			}
		}
	}
	return fields
}
