package newapi_test

import (
	"fmt"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const (
	upstreamPath = "github.com/rabbitmq/amqp091-go"
	ownPath      = "github.com/amqpfix/amqpfix/newapi"
)

// notHere lists what amqp091-go's own types have and newapi's do not, with the
// reason.
var notHere = map[string]string{
	"Channel.Publish":                               generic,
	"Channel.PublishWithContext":                    generic,
	"Channel.PublishWithDeferredConfirm":            genericDeferred,
	"Channel.PublishWithDeferredConfirmWithContext": genericDeferred,

	"Channel.NotifyStateChange": recovery, "Channel.NotifyRecoveryCancel": recovery,
	"Channel.Reconnect": recovery, "Channel.TopologyConfiguration": recovery,
	"Connection.NotifyStateChange": recovery, "Connection.NotifyRecoveryCancel": recovery,
	"Connection.Reconnect": recovery, "Connection.IsRecoveryEnabled": recovery,
	"Connection.IsConnectionRecoveryEnabled": recovery, "Connection.IsTopologyRecoveryEnabled": recovery,
	"Connection.MaxRetryCount": recovery, "Connection.RetryInterval": recovery,
	"Config.Recovery": recovery,
}

const (
	generic         = "the function BasicPublish, generic over the properties"
	genericDeferred = "the function BasicPublishDeferred, generic over the properties"
	recovery        = "recovery is not part of this package"
)

// onlyHere lists what newapi adds to those types.
var onlyHere = map[string]bool{
	"Channel.ConsumeFunc": true, "Channel.Flush": true, "Channel.PublishEncoded": true,
	"Config.Buffered": true, "Config.ConsumerBufferBytes": true, "Config.MaxMessageSize": true,
	"Config.MaxUnconfirmed": true, "Config.PublishTimeout": true,
	"Delivery.ReadOnlyBasicProperties": true, "Delivery.String": true,
	"Return.ReadOnlyBasicProperties": true, "Return.String": true,
	"DeferredConfirmation.Result": true,
}

// ownTypes are those that are declared here although amqp091-go has them too: they
// are, or mention, what PR 1096 changed.
var ownTypes = []string{"Connection", "Channel", "Config", "DeferredConfirmation", "Delivery", "Return"}

// Everything that amqp091-go exports and that is exported here is the same: a type
// is amqp091-go's own or one of ownTypes, a constant has the same type and value, a
// variable and a function have the same type. What has no counterpart is for
// TestVocabularyIsComplete.
func TestExportedNamesAreUpstreams(t *testing.T) {
	upstream, own := load(t, upstreamPath), load(t, ownPath)
	kinds := make(map[string]int)
	for _, name := range upstream.Scope().Names() {
		theirs, ours := upstream.Scope().Lookup(name), own.Scope().Lookup(name)
		if !theirs.Exported() || ours == nil {
			continue
		}
		if want, got := unqualified(theirs.Type()), unqualified(ours.Type()); got != want {
			t.Errorf("%s is\n\t%s, but upstream\n\t%s", name, got, want)
		}
		switch theirs := theirs.(type) {
		case *types.Const:
			kinds["const"]++
			if ours, ok := ours.(*types.Const); !ok || !constant.Compare(ours.Val(), token.EQL, theirs.Val()) {
				t.Errorf("%s is %v, but upstream %v", name, ours, theirs)
			}
		case *types.TypeName:
			kinds["type"]++
			// TestVocabularyMeansTheSame looks at what it is an alias of.
			alias, ok := ours.(*types.TypeName)
			if isListed := slices.Contains(ownTypes, name); !ok || alias.IsAlias() == isListed {
				t.Errorf("%v: listed as declared here %v", ours, isListed)
			}
		case *types.Var:
			kinds["var"]++
			if _, ok := ours.(*types.Var); !ok {
				t.Errorf("%s is %v, but upstream %v", name, ours, theirs)
			}
		case *types.Func:
			kinds["func"]++
			if _, ok := ours.(*types.Func); !ok {
				t.Errorf("%s is %v, but upstream %v", name, ours, theirs)
			}
		}
	}
	for kind, least := range map[string]int{"const": 50, "type": 18, "var": 10, "func": 8} {
		if kinds[kind] < least {
			t.Errorf("compared only %d of kind %s", kinds[kind], kind)
		}
	}
}

// Everything that amqp091-go's Connection, Channel and their companions have is
// here under the same name with the same types, or is listed above.
func TestOwnTypesHaveUpstreamsMembers(t *testing.T) {
	upstream, own := load(t, upstreamPath), load(t, ownPath)
	used := make(map[string]bool)
	for _, name := range ownTypes {
		theirs, ours := members(upstream, name), members(own, name)
		if len(theirs) < 3 {
			t.Fatalf("found only %v in %s", theirs, name)
		}
		for member, typ := range theirs {
			got, ok := ours[member]
			_, listed := notHere[member]
			used[member] = true
			switch {
			case ok == listed:
				t.Errorf("%s: present %v, listed as missing %v", member, ok, listed)
			case embeddedView(own, member):
				// a field there, a method of the received properties here
				if want := "func() (" + typ + ")"; got != want {
					t.Errorf("%s is\n\t%s, want\n\t%s", member, got, want)
				}
			case ok && got != typ:
				t.Errorf("%s is\n\t%s, but upstream\n\t%s", member, got, typ)
			}
		}
		for member := range ours {
			if _, upstream := theirs[member]; upstream == onlyHere[member] && !embeddedView(own, member) {
				t.Errorf("%s: upstream has it %v, listed as an addition %v", member, upstream, onlyHere[member])
			}
		}
	}
	for member := range notHere {
		if !used[member] {
			t.Errorf("%s is listed as missing, but upstream has no such member", member)
		}
	}
}

// embeddedView reports whether a member is a method promoted from
// ReadOnlyBasicProperties.
func embeddedView(own *types.Package, member string) bool {
	typ, name, _ := strings.Cut(member, ".")
	if typ != "Delivery" && typ != "Return" {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(own.Scope().Lookup("ReadOnlyBasicProperties").Type(), true, own, name)
	return obj != nil
}

// packages reads what the compiler exports, which the build cache holds.
var packages = sync.OnceValues(func() (types.Importer, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ownPath)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", list, err)
	}
	files := make(map[string]string)
	for _, line := range strings.Split(string(out), "\n") {
		path, file, _ := strings.Cut(line, " ")
		files[path] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return importer.ForCompiler(token.NewFileSet(), "gc", open), nil
})

func load(t *testing.T, path string) *types.Package {
	t.Helper()
	importer, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := importer.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// members returns the exported fields and methods of a type, with their types.
func members(pkg *types.Package, name string) map[string]string {
	all := make(map[string]string)
	typ := pkg.Scope().Lookup(name).Type()
	methods := types.NewMethodSet(types.NewPointer(typ))
	for i := 0; i < methods.Len(); i++ {
		if m := methods.At(i).Obj(); m.Exported() {
			all[name+"."+m.Name()] = unqualified(m.Type())
		}
	}
	if s, ok := typ.Underlying().(*types.Struct); ok {
		for i := 0; i < s.NumFields(); i++ {
			if f := s.Field(i); f.Exported() {
				all[name+"."+f.Name()] = unqualified(f.Type())
			}
		}
	}
	return all
}

// unqualified prints a type without parameter names, and without the package of
// the types that both packages have by the same name.
func unqualified(typ types.Type) string {
	qualifier := func(p *types.Package) string {
		if p.Path() == upstreamPath || p.Path() == ownPath {
			return ""
		}
		return p.Path()
	}
	signature, ok := typ.(*types.Signature)
	if !ok {
		return types.TypeString(typ, qualifier)
	}
	tuple := func(vars *types.Tuple) string {
		var list []string
		for i := 0; i < vars.Len(); i++ {
			list = append(list, types.TypeString(vars.At(i).Type(), qualifier))
		}
		return "(" + strings.Join(list, ", ") + ")"
	}
	return "func" + tuple(signature.Params()) + " " + tuple(signature.Results())
}
