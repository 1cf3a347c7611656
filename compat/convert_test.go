package compat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// decorated is an implementation of the interface that is not compat's own.
type decorated struct{ compat.BasicProperties }

// numbered is a decorator that adds a property.
type numbered struct {
	compat.BasicProperties
	id string
}

func (n numbered) MessageId() string        { return n.id }
func (n numbered) IsMessageIdPresent() bool { return true }

func TestStructsRoundTrip(t *testing.T) {
	all := plain{}
	for _, prop := range properties {
		prop.setField(&all)
	}
	structs := map[string]plain{
		"all":       all,
		"zero":      {},
		"send zero": {SendZero: everything},
		"mixed":     {Priority: 3, Headers: newapi.Table{}, SendZero: newapi.PropertyPriority | newapi.PropertyHeaders | newapi.PropertyType},
	}
	for _, prop := range properties {
		var s plain
		prop.setField(&s)
		structs[prop.name] = s
	}
	for name, s := range structs {
		want := s
		if want.Headers == nil {
			want.Headers = newapi.Table{}
		}
		if diff := cmp.Diff(want, compat.ToStruct(compat.FromStruct(s))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestStructIsCopiedAndHeadersAreShared(t *testing.T) {
	s := plain{Priority: 1, Headers: newapi.Table{}}
	p := compat.FromStruct(s)
	p.SetPriority(2)
	back := compat.ToStruct(p)
	back.Priority = 3
	if s.Priority != 1 || p.Priority() != 2 {
		t.Errorf("priorities are %d and %d, want 1 and 2", s.Priority, p.Priority())
	}

	s.Headers["from"] = "struct"
	p.Headers()["from"] = p.Headers()["from"].(string) + ", value"
	back.Headers["from"] = back.Headers["from"].(string) + ", copy"
	if got, want := s.Headers["from"], "struct, value, copy"; got != want {
		t.Errorf("the shared entry is %q, want %q", got, want)
	}
}

func TestFromStructLeavesANilMapAlone(t *testing.T) {
	s := plain{}
	compat.FromStruct(s).Headers()["a"] = "1"
	if s.Headers != nil {
		t.Errorf("the struct's Headers became %v", s.Headers)
	}
}

func TestNilIsTheZeroStruct(t *testing.T) {
	for name, p := range map[string]compat.BasicProperties{
		"nil":           nil,
		"a nil pointer": (*decorated)(nil),
	} {
		if diff := cmp.Diff(plain{}, compat.ToStruct(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOtherImplementationsAreReadThroughTheirMethods(t *testing.T) {
	forEachProperty(t, func(t *testing.T, prop property) {
		p := fresh()
		prop.set(p)
		var want plain
		prop.setField(&want)
		if diff := cmp.Diff(want, compat.ToStruct(decorated{p})); diff != "" {
			t.Errorf("with a value (-want +got):\n%s", diff)
		}

		zero := decorated{compat.FromStruct(plain{SendZero: prop.which})}
		if got := compat.ToStruct(zero); got.SendZero != prop.which || got.Present() != prop.which {
			t.Errorf("a present zero gave SendZero %v, present %v; want %v", got.SendZero, got.Present(), prop.which)
		}
	})

	got := compat.ToStruct(&numbered{full(), "m-2"})
	want := compat.ToStruct(full())
	want.MessageId = "m-2"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a decorator over all properties (-want +got):\n%s", diff)
	}
}

// silent overrides a getter, but not the method that reports presence.
type silent struct{ compat.BasicProperties }

func (silent) MessageId() string { return "unreported" }

func TestWhatIsNotReportedAsPresentIsNotTaken(t *testing.T) {
	if got := compat.ToStruct(silent{fresh()}).MessageId; got != "" {
		t.Errorf("MessageId is %q, want none", got)
	}
}
