package oldapi

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// load type-checks packages from source, in one type universe.
func load(t *testing.T, dir string, env []string, paths ...string) map[string]*types.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps,
		Dir:  dir,
		Env:  append(os.Environ(), env...),
		Fset: token.NewFileSet(),
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	loaded := make(map[string]*types.Package)
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		loaded[p.PkgPath] = p.Types
	}
	return loaded
}

// repository loads the real packages.
func repository(t *testing.T) (compat, newapi *types.Package) {
	t.Helper()
	pkgs := load(t, filepath.Join("..", "..", ".."), []string{"GOWORK=off"}, Compat, NewAPI)
	return pkgs[Compat], pkgs[NewAPI]
}

func lookup[T types.Object](t *testing.T, pkg *types.Package, name string) T {
	t.Helper()
	obj, ok := pkg.Scope().Lookup(name).(T)
	if !ok {
		t.Fatalf("%s.%s is %v, no %T", pkg.Path(), name, pkg.Scope().Lookup(name), obj)
	}
	return obj
}

func method(t *testing.T, typ types.Type, pkg *types.Package, name string) *types.Signature {
	t.Helper()
	obj, _, _ := types.LookupFieldOrMethod(typ, true, pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		t.Fatalf("%v has no method %s", typ, name)
	}
	return fn.Signature()
}

func tuple(ts ...types.Type) *types.Tuple {
	vars := make([]*types.Var, len(ts))
	for i, typ := range ts {
		vars[i] = types.NewParam(token.NoPos, nil, "", typ)
	}
	return types.NewTuple(vars...)
}

func TestMethodsAreThoseOfTheInterface(t *testing.T) {
	compat, newapi := repository(t)
	old := lookup[*types.TypeName](t, compat, PropertiesType).Type().Underlying().(*types.Interface)
	var names []string
	for m := range old.Methods() {
		names = append(names, m.Name())
	}
	slices.Sort(names)
	if want := slices.Sorted(maps.Keys(Methods)); !slices.Equal(names, want) {
		t.Errorf("the interface has methods %v, the table %v", names, want)
	}

	table := lookup[*types.TypeName](t, newapi, NewTable).Type()
	fields := make(map[string]types.Type)
	s := lookup[*types.TypeName](t, newapi, NewProperties).Type().Underlying().(*types.Struct)
	for f := range s.Fields() {
		fields[f.Name()] = f.Type()
	}
	str, boolean := types.Typ[types.String], types.Typ[types.Bool]
	roles := make(map[string]int)
	for name, m := range Methods {
		field := fields[m.Field]
		ofKind := false
		switch m.Kind {
		case String:
			ofKind = types.Identical(field, str)
		case Octet:
			ofKind = types.Identical(field, types.Typ[types.Uint8])
		case Table:
			ofKind = types.Identical(field, table)
		case Time:
			ofKind = field.String() == "time.Time"
		}
		if !ofKind {
			t.Errorf("%s: field %s of the struct is of type %v", name, m.Field, field)
			continue
		}
		address := lookup[*types.TypeName](t, newapi, "PublicationAddress").Type()
		var want *types.Signature
		sig := func(params, results *types.Tuple) *types.Signature {
			return types.NewSignatureType(nil, nil, nil, params, results, false)
		}
		switch m.Role {
		case Get:
			want = sig(nil, tuple(field))
			roles[m.Field]++
		case Set:
			want = sig(tuple(field), nil)
			roles[m.Field]++
		case Clear:
			want = sig(nil, nil)
			roles[m.Field]++
		case Present:
			want = sig(nil, tuple(boolean))
			roles[m.Field]++
		case GetPersistent:
			want = sig(nil, tuple(boolean))
		case SetPersistent:
			want = sig(tuple(boolean), nil)
		case GetAddress:
			want = method(t, lookup[*types.TypeName](t, newapi, NewProperties).Type(), newapi, name)
		case SetAddress:
			want = sig(tuple(address), nil)
			if s := method(t, address, newapi, "String"); !types.Identical(s, sig(nil, tuple(str))) {
				t.Errorf("%v.String is a %v", address, s)
			}
		}
		if got := method(t, old, compat, name); !types.Identical(got, want) {
			t.Errorf("%s is a %v, want %v", name, got, want)
		}
	}
	delete(fields, "SendZero")
	for field := range fields {
		if roles[field] != 4 {
			t.Errorf("the table has %d of getter, setter, Clear and Is…Present for field %s", roles[field], field)
		}
	}
}

func TestPublishTargets(t *testing.T) {
	compat, newapi := repository(t)
	channel := types.NewPointer(lookup[*types.TypeName](t, compat, ChannelType).Type())
	props := lookup[*types.TypeName](t, compat, PropertiesType).Type()
	created := lookup[*types.TypeName](t, newapi, NewProperties).Type()
	str, boolean := types.Typ[types.String], types.Typ[types.Bool]
	bytes := types.NewSlice(types.Typ[types.Byte])
	failure := types.Universe.Lookup("error").Type()

	publish := method(t, channel, compat, PublishMethod)
	params := make([]types.Type, PublishArgs)
	params[Exchange], params[RoutingKey], params[Mandatory], params[Properties], params[Body] = str, str, boolean, props, bytes
	want := types.NewSignatureType(nil, nil, nil, tuple(params...), tuple(failure), false)
	if !types.Identical(publish, want) {
		t.Errorf("%s is a %v, want %v", PublishMethod, publish, want)
	}
	if create := method(t, channel, compat, CreateMethod); !types.Identical(create, types.NewSignatureType(nil, nil, nil, nil, tuple(props), false)) {
		t.Errorf("%s is a %v", CreateMethod, create)
	}
	from := lookup[*types.Func](t, compat, FromStructFunc).Signature()
	if !types.Identical(from, types.NewSignatureType(nil, nil, nil, tuple(created), tuple(props), false)) {
		t.Errorf("%s is a %v", FromStructFunc, from)
	}

	publisher := lookup[*types.TypeName](t, newapi, "Publisher").Type()
	if !types.Implements(channel, publisher.Underlying().(*types.Interface)) {
		t.Errorf("%v is no %v", channel, publisher)
	}
	generic := lookup[*types.Func](t, newapi, NewPublish)
	for _, p := range []types.Type{created, types.NewPointer(created)} {
		instance, err := types.Instantiate(nil, generic.Type(), []types.Type{p}, true)
		if err != nil {
			t.Errorf("%s[%v]: %v", NewPublish, p, err)
			continue
		}
		sig := instance.(*types.Signature)
		flag := lookup[*types.Const](t, newapi, NewMandatory).Type()
		ctx := sig.Params().At(0).Type()
		want := types.NewSignatureType(nil, nil, nil,
			tuple(ctx, publisher, str, str, p, bytes, types.NewSlice(flag)), tuple(failure), true)
		if ctx.String() != "context.Context" || !types.Identical(sig, want) {
			t.Errorf("%s[%v] is a %v, want %v", NewPublish, p, sig, want)
		}
		flags := lookup[*types.Func](t, newapi, NewFlagsIf).Signature()
		if !types.Identical(flags, types.NewSignatureType(nil, nil, nil, tuple(boolean, boolean), tuple(flag), false)) {
			t.Errorf("%s is a %v", NewFlagsIf, flags)
		}
	}
	for name, value := range map[string]int64{NewTransient: 1, NewPersistent: 2} {
		c := lookup[*types.Const](t, newapi, name)
		if got, _ := constant.Int64Val(c.Val()); got != value || !types.AssignableTo(c.Type(), types.Typ[types.Uint8]) {
			t.Errorf("%s is %v of type %v, want %d and assignable to uint8", name, c.Val(), c.Type(), value)
		}
	}
}

// TestStandIns: what the packages under analyzer/testdata declare is what the
// real ones declare.
func TestStandIns(t *testing.T) {
	compat, newapi := repository(t)
	gopath, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	fakes := load(t, gopath, []string{"GOPATH=" + gopath, "GO111MODULE=off", "GOWORK=off", "GOFLAGS="}, Compat, NewAPI, Compat091, Upstream)
	clients := clients(t)
	for _, pair := range []struct{ real, fake *types.Package }{
		{compat, fakes[Compat]}, {newapi, fakes[NewAPI]}, {clients[Compat091], fakes[Compat091]}, {clients[Upstream], fakes[Upstream]},
	} {
		for _, name := range pair.fake.Scope().Names() {
			fake := pair.fake.Scope().Lookup(name)
			if !fake.Exported() {
				continue
			}
			real := pair.real.Scope().Lookup(name)
			if real == nil {
				t.Errorf("%s has no %s", pair.real.Path(), name)
				continue
			}
			if fn, ok := fake.(*types.Func); ok {
				if real, ok := real.(*types.Func); !ok || shape(fn) != shape(real) {
					t.Errorf("%s.%s is a %v, the stand-in a %v", pair.real.Path(), name, real, fake)
				}
			}
			fakes := types.NewMethodSet(types.NewPointer(fake.Type()))
			if types.IsInterface(fake.Type()) {
				fakes = types.NewMethodSet(fake.Type())
			}
			for sel := range fakes.Methods() {
				if !sel.Obj().Exported() {
					continue
				}
				obj, _, _ := types.LookupFieldOrMethod(real.Type(), true, pair.real, sel.Obj().Name())
				if obj == nil {
					t.Errorf("%s.%s has no method %s", pair.real.Path(), name, sel.Obj().Name())
					continue
				}
				if got, want := shape(sel.Obj().(*types.Func)), shape(obj.(*types.Func)); got != want {
					t.Errorf("%s.%s.%s is a %s, the stand-in a %s", pair.real.Path(), name, obj.Name(), want, got)
				}
			}
		}
	}
}

// shape is a signature without the names of its parameters and with Table,
// which is an alias in the real package, by that name.
func shape(fn *types.Func) string {
	sig := fn.Signature()
	s := "("
	for v := range sig.Params().Variables() {
		s += typeName(v.Type()) + ","
	}
	s += ")("
	for v := range sig.Results().Variables() {
		s += typeName(v.Type()) + ","
	}
	return s + ")"
}

func typeName(t types.Type) string {
	return types.TypeString(types.Unalias(t), func(*types.Package) string { return "" })
}
