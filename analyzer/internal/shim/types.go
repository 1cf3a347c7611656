package shim

import (
	"go/types"
	"maps"
	"slices"

	"github.com/amqpfix/amqpfix/analyzer/internal/oldapi"
)

// swapped returns the name of the swapped type that obj is, "" if it is none.
func swapped(obj *types.TypeName) string {
	if obj.Pkg() == nil {
		return ""
	}
	m, ok := oldapi.ModuleOf(obj.Pkg().Path())
	if !ok || !obj.Exported() || !m.Swapped(obj.Name()) {
		return ""
	}
	return m.Path + "." + obj.Name()
}

// A mentioner finds the swapped types that other types mention.
type mentioner struct {
	memo    map[types.Type][]string
	without string // the rule that is left out
}

// on reports whether a rule counts.
func (m *mentioner) on(rule string) bool { return m.without != rule }

// mentions returns the swapped types that decide about t's identity, or about
// which values t holds: those that it is made of by pointers, slices, functions
// and the like, by its methods if it is an interface, and by its type arguments.
//
// A struct type with a name is the same type whatever its fields are: it mentions
// none.
func (m *mentioner) mentions(t types.Type) []string {
	if t == nil {
		return nil
	}
	if list, ok := m.memo[t]; ok {
		return list
	}
	found := make(map[string]bool)
	m.collect(t, found, make(map[types.Type]bool))
	list := slices.Sorted(maps.Keys(found))
	m.memo[t] = list
	return list
}

func (m *mentioner) collect(t types.Type, found map[string]bool, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	visit := func(t types.Type) { m.collect(t, found, seen) }
	switch t := t.(type) {
	case *types.Alias:
		visit(types.Unalias(t))
	case *types.Named:
		if name := swapped(t.Obj()); name != "" {
			found[name] = true
			return
		}
		if pkg := t.Obj().Pkg(); pkg != nil {
			if _, ok := oldapi.ModuleOf(pkg.Path()); ok {
				return // vocabulary
			}
		}
		for arg := range t.TypeArgs().Types() {
			if m.on("type-arguments") {
				visit(arg)
			}
		}
		if _, ok := t.Underlying().(*types.Struct); !ok {
			visit(t.Underlying())
		}
	case *types.TypeParam:
		visit(t.Constraint())
	case *types.Pointer:
		visit(t.Elem())
	case *types.Slice:
		visit(t.Elem())
	case *types.Array:
		visit(t.Elem())
	case *types.Chan:
		visit(t.Elem())
	case *types.Map:
		visit(t.Key())
		visit(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			visit(v.Type())
		}
	case *types.Signature:
		visit(t.Params())
		visit(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			visit(f.Type())
		}
	case *types.Interface:
		for method := range t.Methods() {
			visit(method.Type())
		}
		for e := range t.EmbeddedTypes() {
			visit(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			visit(term.Type())
		}
	}
}

// methods returns the methods of a type of the user's own that mention a swapped
// type, promoted ones included.
func (m *mentioner) methods(t types.Type) (list []*types.Func) {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || types.IsInterface(named) || swapped(named.Obj()) != "" {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(named))
	for method := range set.Methods() {
		fn := method.Obj().(*types.Func).Origin()
		if _, ok := oldapi.ModuleOf(path(fn)); !ok && len(m.mentions(fn.Type())) > 0 {
			list = append(list, fn)
		}
	}
	return list
}

// path returns the import path of the package that declares obj, "" for none.
func path(obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	return obj.Pkg().Path()
}

// isAny reports whether t is an interface without methods.
func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// typePath returns the import path of the package that declares the type, "" for
// a type without a name.
func typePath(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return path(named.Obj())
	}
	return ""
}
