package amqp091_test

import (
	"fmt"
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"reflect"
	"sort"
	"strings"
	"testing"

	upstream "github.com/rabbitmq/amqp091-go"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

const (
	ourPath      = "github.com/amqpfix/amqpfix/compat/amqp091"
	newapiPath   = "github.com/amqpfix/amqpfix/newapi"
	upstreamPath = "github.com/rabbitmq/amqp091-go"
)

// own are the types that are not amqp091-go's: those that mention a connection
// or a channel.
var own = map[string]bool{
	"Connection": true, "Channel": true, "Config": true, "DeferredConfirmation": true,
	"Recovery": true, "ConnectionRecovery": true, "TopologyRecovery": true,
	"DefaultConnectionRecovery": true, "DefaultTopologyRecovery": true,
}

// additions are what this package has beyond amqp091-go, methods by their type.
var additions = []string{
	"BasicPublish", "BasicPublishDeferred", "Header",
	"Channel.PublishEncoded", "DeferredConfirmation.Result",
}

// withoutEffect are the names that compile but wait for a feature.
var withoutEffect = map[string]string{
	"Config.Recovery":                        "recovery does not exist yet: dialling with one is an error",
	"Connection.Reconnect":                   "recovery does not exist yet: ErrClosed",
	"Channel.Reconnect":                      "recovery does not exist yet: ErrClosed",
	"Channel.TopologyConfiguration":          "recovery does not exist yet: empty, as in amqp091-go without recovery",
	"Connection.IsRecoveryEnabled":           "recovery does not exist yet: false",
	"Connection.IsConnectionRecoveryEnabled": "recovery does not exist yet: false",
	"Connection.IsTopologyRecoveryEnabled":   "recovery does not exist yet: false",
	"Connection.MaxRetryCount":               "recovery does not exist yet: 0",
	"Connection.RetryInterval":               "recovery does not exist yet: 0",
	"Recovery":                               "recovery does not exist yet",
	"ConnectionRecovery":                     "recovery does not exist yet: never called",
	"TopologyRecovery":                       "recovery does not exist yet: never called",
	"DefaultConnectionRecovery":              "recovery does not exist yet: logs",
	"DefaultTopologyRecovery":                "recovery does not exist yet: does nothing",
	"StateReconnecting":                      "recovery does not exist yet: never reported",
}

func TestAPIIsThatOfUpstream(t *testing.T) {
	theirs, ours := load(t, upstreamPath), load(t, ourPath)
	var extra []string
	for _, name := range theirs.Scope().Names() {
		want := theirs.Scope().Lookup(name)
		if !want.Exported() {
			continue
		}
		got := ours.Scope().Lookup(name)
		if got == nil {
			t.Errorf("%s is missing", want)
			continue
		}
		for _, difference := range compare(name, want, got, &extra) {
			t.Error(difference)
		}
	}
	for _, name := range ours.Scope().Names() {
		if token.IsExported(name) && theirs.Scope().Lookup(name) == nil {
			extra = append(extra, name)
		}
	}
	sort.Strings(extra)
	sort.Strings(additions)
	if !reflect.DeepEqual(extra, additions) {
		t.Errorf("beyond amqp091-go there are %q, listed are %q", extra, additions)
	}
	for name := range withoutEffect {
		typ, method, _ := strings.Cut(name, ".")
		obj := ours.Scope().Lookup(typ)
		if obj == nil {
			t.Errorf("%s is listed as without effect, and does not exist", name)
		} else if member, _, _ := types.LookupFieldOrMethod(obj.Type(), true, ours, method); method != "" && member == nil {
			t.Errorf("%s is listed as without effect, and does not exist", name)
		}
	}
}

func TestComparisonNoticesDifferences(t *testing.T) {
	theirs := load(t, upstreamPath)
	for _, c := range []struct{ want, got, difference string }{
		{"NotFound", "NoRoute", "value"},
		{"NotFound", "ErrClosed", "var"},
		{"Dial", "DialConfig", "type"},
		{"Table", "Decimal", "alias"},
		{"Channel", "Connection", "lacks method"},
		{"Config", "Connection", "field"},
		{"ConnectionRecovery", "TopologyRecovery", "OnChannelClose"},
	} {
		want, got := theirs.Scope().Lookup(c.want), theirs.Scope().Lookup(c.got)
		found := strings.Join(compare(c.want, want, got, new([]string)), "\n")
		if !strings.Contains(found, c.difference) {
			t.Errorf("%s against %s: found %q, want mention of %q", c.want, c.got, found, c.difference)
		}
	}
}

// load reads a package's export data, which the go command makes.
func load(t *testing.T, path string) *types.Package {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", path)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, file, _ := strings.Cut(line, " ")
		files[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	})
	pkg, err := imp.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// text writes an object or type with the packages at issue called alike, so that
// aliases and own types read as what they stand for.
func text(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string {
		switch pkg.Path() {
		case ourPath, newapiPath, upstreamPath:
			return "amqp"
		}
		return pkg.Path()
	})
}

// compare lists what differs between two objects of a name. It adds methods that
// only got has to extra.
func compare(name string, want, got types.Object, extra *[]string) (differences []string) {
	differ := func(format string, args ...any) {
		differences = append(differences, name+": "+fmt.Sprintf(format, args...))
	}
	if a, b := reflect.TypeOf(want), reflect.TypeOf(got); a != b {
		differ("is a %v, want a %v", strings.ToLower(b.Elem().Name()), strings.ToLower(a.Elem().Name()))
		return differences
	}
	wantType, isType := want.(*types.TypeName)
	if !isType {
		if a, b := text(want.Type()), text(got.Type()); a != b {
			differ("type is %s, want %s", b, a)
		}
		if want, ok := want.(*types.Const); ok {
			if got := got.(*types.Const); constant.Compare(want.Val(), token.NEQ, got.Val()) {
				differ("value is %s, want %s", got.Val(), want.Val())
			}
		}
		return differences
	}
	if !own[name] {
		if obj := named(got.Type()); obj == nil || obj.Pkg().Path() != upstreamPath || obj.Name() != name {
			differ("is not an alias of %s.%s", upstreamPath, name)
		}
		return differences
	}
	a, b := fields(wantType.Type()), fields(got.Type())
	if !reflect.DeepEqual(a, b) {
		differ("exported fields are\n\t%s\nwant\n\t%s", strings.Join(b, "\n\t"), strings.Join(a, "\n\t"))
	}
	wantMethods, gotMethods := methods(wantType.Type()), methods(got.Type())
	for method, signature := range wantMethods {
		if gotSignature, ok := gotMethods[method]; !ok {
			differ("lacks method %s", method)
		} else if gotSignature != signature {
			differ("method %s is %s, want %s", method, gotSignature, signature)
		}
	}
	for method := range gotMethods {
		if _, ok := wantMethods[method]; !ok {
			*extra = append(*extra, name+"."+method)
		}
	}
	return differences
}

// named returns the declaration that a type or alias comes down to.
func named(t types.Type) *types.TypeName {
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	if a, ok := t.(interface{ Rhs() types.Type }); ok { // *types.Alias, which go 1.21 does not have
		return named(a.Rhs())
	}
	return nil
}

// fields lists the exported fields of a struct, in order.
func fields(t types.Type) (all []string) {
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if f := s.Field(i); f.Exported() {
			all = append(all, fmt.Sprintf("%s %s %q embedded=%v", f.Name(), text(f.Type()), s.Tag(i), f.Embedded()))
		}
	}
	return all
}

// methods lists the exported methods of a type or its pointer, and which it is.
func methods(t types.Type) map[string]string {
	all := make(map[string]string)
	set := types.NewMethodSet(types.NewPointer(t))
	if types.IsInterface(t) {
		set = types.NewMethodSet(t)
	}
	values := types.NewMethodSet(t)
	for i := 0; i < set.Len(); i++ {
		m := set.At(i).Obj()
		if !m.Exported() {
			continue
		}
		onValue := values.Lookup(m.Pkg(), m.Name()) != nil
		all[m.Name()] = fmt.Sprintf("%s (of the value: %v)", text(m.Type()), onValue)
	}
	return all
}

func TestErrorsAndVariablesAreUpstreamsOwn(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs any
	}{
		{name: "ErrClosed", ours: amqp.ErrClosed, theirs: upstream.ErrClosed},
		{name: "ErrChannelMax", ours: amqp.ErrChannelMax, theirs: upstream.ErrChannelMax},
		{name: "ErrSASL", ours: amqp.ErrSASL, theirs: upstream.ErrSASL},
		{name: "ErrCredentials", ours: amqp.ErrCredentials, theirs: upstream.ErrCredentials},
		{name: "ErrVhost", ours: amqp.ErrVhost, theirs: upstream.ErrVhost},
		{name: "ErrSyntax", ours: amqp.ErrSyntax, theirs: upstream.ErrSyntax},
		{name: "ErrFrame", ours: amqp.ErrFrame, theirs: upstream.ErrFrame},
		{name: "ErrFrameTooLarge", ours: amqp.ErrFrameTooLarge, theirs: upstream.ErrFrameTooLarge},
		{name: "ErrCommandInvalid", ours: amqp.ErrCommandInvalid, theirs: upstream.ErrCommandInvalid},
		{name: "ErrUnexpectedFrame", ours: amqp.ErrUnexpectedFrame, theirs: upstream.ErrUnexpectedFrame},
		{name: "ErrFieldType", ours: amqp.ErrFieldType, theirs: upstream.ErrFieldType},
		{name: "ErrDeliveryNotInitialized", ours: amqp.ErrDeliveryNotInitialized, theirs: upstream.ErrDeliveryNotInitialized},
		{name: "DefaultReconnectionConfig", ours: amqp.DefaultReconnectionConfig, theirs: upstream.DefaultReconnectionConfig},
	} {
		if c.ours != c.theirs {
			t.Errorf("%s is not amqp091-go's value", c.name)
		}
	}
}
