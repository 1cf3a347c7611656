package oldapi

import (
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// clients loads the real packages of the publish rule, in one type universe.
func clients(t *testing.T) map[string]*types.Package {
	t.Helper()
	return load(t, filepath.Join("..", "..", "testdata", "shim"), []string{"GOWORK=off", "GOFLAGS=-mod=mod"},
		Upstream, Streadway, Compat091, NewAPI)
}

// TestPublishesAreThoseOfTheModules: the table has the methods that begin with
// Publish of each channel, with their arguments.
func TestPublishesAreThoseOfTheModules(t *testing.T) {
	pkgs := clients(t)
	for _, path := range []string{Upstream, Streadway, Compat091} {
		channel := types.NewPointer(lookup[*types.TypeName](t, pkgs[path], ChannelType).Type())
		for name, publish := range Publishes {
			obj, _, _ := types.LookupFieldOrMethod(channel, true, pkgs[path], name)
			if obj == nil && path == Streadway && name != "Publish" {
				continue // it is older
			}
			fn, ok := obj.(*types.Func)
			if !ok {
				t.Errorf("%s has no method %s", channel, name)
				continue
			}
			params := fn.Signature().Params()
			want := PublishWithout
			if publish.Ctx {
				want++
			}
			if params.Len() != want {
				t.Errorf("%s of %s has %d parameters, want %d", name, path, params.Len(), want)
			}
			if results := fn.Signature().Results().Len(); (results == 2) != publish.Deferred {
				t.Errorf("%s of %s has %d results", name, path, results)
			}
		}
		set := types.NewMethodSet(channel)
		for method := range set.Methods() {
			name := method.Obj().Name()
			if _, known := Publishes[name]; !known && len(name) >= 7 && name[:7] == "Publish" && name != "PublishEncoded" {
				t.Errorf("%s of %s is not in the table", name, path)
			}
		}
	}
}

// TestSwappedTypes: a type of amqp091-go is another one in compat/amqp091 exactly
// if the table says so.
func TestSwappedTypes(t *testing.T) {
	pkgs := clients(t)
	m, _ := ModuleOf(Upstream)
	scope := pkgs[Upstream].Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() {
			continue
		}
		ours := lookup[*types.TypeName](t, pkgs[Compat091], name)
		if same := types.Identical(obj.Type(), ours.Type()); same == m.Swapped(name) {
			t.Errorf("%s is the same in both packages: %t, and the table says swapped: %t", name, same, m.Swapped(name))
		}
	}
}

// TestGained: the tables have what Compat091 adds to a module, exactly.
func TestGained(t *testing.T) {
	pkgs := clients(t)
	compat := pkgs[Compat091].Scope()
	var names []string
	for _, name := range compat.Names() {
		if compat.Lookup(name).Exported() && pkgs[Upstream].Scope().Lookup(name) == nil {
			names = append(names, name)
		}
	}
	if got := slices.Sorted(slices.Values(Brought())); !slices.Equal(got, names) {
		t.Errorf("a dot import brings %q, the table has %q", names, got)
	}
	for _, m := range Modules {
		for _, typ := range []string{ChannelType, ConnectionType} {
			old := types.NewMethodSet(types.NewPointer(lookup[*types.TypeName](t, pkgs[m.Path], typ).Type()))
			for method := range types.NewMethodSet(types.NewPointer(lookup[*types.TypeName](t, pkgs[Compat091], typ).Type())).Methods() {
				name := method.Obj().Name()
				if gains := method.Obj().Exported() && old.Lookup(nil, name) == nil; gains != m.Gains(typ, name) {
					t.Errorf("%s of %s gains %s: %t, and the table says otherwise", typ, m.Path, name, gains)
				}
			}
		}
		for typ, methods := range gained[m.Path] {
			compat := types.NewMethodSet(types.NewPointer(lookup[*types.TypeName](t, pkgs[Compat091], typ).Type()))
			for _, name := range methods {
				if compat.Lookup(nil, name) == nil {
					t.Errorf("%s has no method %s", typ, name)
				}
			}
		}
	}
}

// TestModulesHaveTheirNames: an import without a name is called what the table says.
func TestModulesHaveTheirNames(t *testing.T) {
	pkgs := clients(t)
	for _, m := range Modules {
		if got := pkgs[m.Path].Name(); got != m.Name {
			t.Errorf("the package of %s is called %s, want %s", m.Path, got, m.Name)
		}
	}
}

// TestPublishingFields: the fields of a message are those of the new struct, by
// name and type, and the body.
func TestPublishingFields(t *testing.T) {
	pkgs := clients(t)
	message := lookup[*types.TypeName](t, pkgs[Upstream], PublishingType).Type().Underlying().(*types.Struct)
	properties := lookup[*types.TypeName](t, pkgs[NewAPI], NewProperties).Type().Underlying().(*types.Struct)
	fields := func(s *types.Struct) map[string]types.Type {
		m := make(map[string]types.Type)
		for f := range s.Fields() {
			m[f.Name()] = f.Type()
		}
		return m
	}
	theirs, ours := fields(message), fields(properties)
	if _, ok := theirs[PublishingBody]; !ok {
		t.Errorf("a message has no %s", PublishingBody)
	}
	delete(theirs, PublishingBody)
	if got, want := slices.Sorted(maps.Keys(theirs)), slices.Sorted(slices.Values(PublishingFields)); !slices.Equal(got, want) {
		t.Errorf("a message has the fields %v, the table %v", got, want)
	}
	for _, name := range PublishingFields {
		if theirs[name] == nil || ours[name] == nil || !types.Identical(theirs[name], ours[name]) {
			t.Errorf("%s is a %v in a message and a %v in properties", name, theirs[name], ours[name])
		}
	}
}

// TestTargetsOfPublish: what the publish rule writes exists.
func TestTargetsOfPublish(t *testing.T) {
	pkgs := clients(t)
	for _, publish := range Publishes {
		for _, path := range []string{NewAPI, Compat091} {
			lookup[*types.Func](t, pkgs[path], publish.Function())
		}
	}
	lookup[*types.Func](t, pkgs[NewAPI], NewFlagsIf)
	lookup[*types.Const](t, pkgs[NewAPI], NewMandatory)
	header := lookup[*types.TypeName](t, pkgs[Compat091], Header).Type()
	message := lookup[*types.TypeName](t, pkgs[Upstream], PublishingType).Type()
	if !types.ConvertibleTo(message, header) {
		t.Errorf("%v does not convert to %v", message, header)
	}
	for member := range recovery {
		name, field, isMember := cutMember(member)
		typ := lookup[*types.TypeName](t, pkgs[Upstream], name).Type()
		if !isMember {
			continue
		}
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(typ), true, pkgs[Upstream], field); obj == nil {
			t.Errorf("%s has no %s", name, field)
		}
	}
}

func cutMember(member string) (typ, name string, ok bool) {
	for i, c := range member {
		if c == '.' {
			return member[:i], member[i+1:], true
		}
	}
	return member, "", false
}
