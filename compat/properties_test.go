package compat_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// old and plain keep the table below readable.
type (
	old   = compat.BasicProperties
	plain = newapi.BasicProperties
)

// property is one of the fourteen, with a value to try it with.
type property struct {
	name  string
	which newapi.PropertySet
	value any // a sample, not the zero value

	get      func(old) any
	set      func(old) // to value
	setZero  func(old)
	clear    func(old)
	present  func(old) bool
	setField func(*plain) // to value
}

func row[T any](which newapi.PropertySet, value T, get func(old) T, set func(old, T), clear func(old), present func(old) bool, field func(*plain) *T) property {
	return property{
		name:     which.String(),
		which:    which,
		value:    value,
		get:      func(p old) any { return get(p) },
		set:      func(p old) { set(p, value) },
		setZero:  func(p old) { var zero T; set(p, zero) },
		clear:    clear,
		present:  present,
		setField: func(s *plain) { *field(s) = value },
	}
}

var properties = []property{
	row(newapi.PropertyContentType, "application/json",
		old.ContentType, old.SetContentType, old.ClearContentType, old.IsContentTypePresent,
		func(s *plain) *string { return &s.ContentType }),
	row(newapi.PropertyContentEncoding, "gzip",
		old.ContentEncoding, old.SetContentEncoding, old.ClearContentEncoding, old.IsContentEncodingPresent,
		func(s *plain) *string { return &s.ContentEncoding }),
	row(newapi.PropertyHeaders, newapi.Table{"attempt": int32(3)},
		old.Headers, old.SetHeaders, old.ClearHeaders, old.IsHeadersPresent,
		func(s *plain) *newapi.Table { return &s.Headers }),
	row(newapi.PropertyDeliveryMode, newapi.Persistent,
		old.DeliveryMode, old.SetDeliveryMode, old.ClearDeliveryMode, old.IsDeliveryModePresent,
		func(s *plain) *uint8 { return &s.DeliveryMode }),
	row(newapi.PropertyPriority, uint8(7),
		old.Priority, old.SetPriority, old.ClearPriority, old.IsPriorityPresent,
		func(s *plain) *uint8 { return &s.Priority }),
	row(newapi.PropertyCorrelationId, "request-17",
		old.CorrelationId, old.SetCorrelationId, old.ClearCorrelationId, old.IsCorrelationIdPresent,
		func(s *plain) *string { return &s.CorrelationId }),
	row(newapi.PropertyReplyTo, "direct://replies/client-4",
		old.ReplyTo, old.SetReplyTo, old.ClearReplyTo, old.IsReplyToPresent,
		func(s *plain) *string { return &s.ReplyTo }),
	row(newapi.PropertyExpiration, "60000",
		old.Expiration, old.SetExpiration, old.ClearExpiration, old.IsExpirationPresent,
		func(s *plain) *string { return &s.Expiration }),
	row(newapi.PropertyMessageId, "m-1",
		old.MessageId, old.SetMessageId, old.ClearMessageId, old.IsMessageIdPresent,
		func(s *plain) *string { return &s.MessageId }),
	row(newapi.PropertyTimestamp, time.Unix(1700000000, 0).UTC(),
		old.Timestamp, old.SetTimestamp, old.ClearTimestamp, old.IsTimestampPresent,
		func(s *plain) *time.Time { return &s.Timestamp }),
	row(newapi.PropertyType, "order.created",
		old.Type, old.SetType, old.ClearType, old.IsTypePresent,
		func(s *plain) *string { return &s.Type }),
	row(newapi.PropertyUserId, "guest",
		old.UserId, old.SetUserId, old.ClearUserId, old.IsUserIdPresent,
		func(s *plain) *string { return &s.UserId }),
	row(newapi.PropertyAppId, "shop",
		old.AppId, old.SetAppId, old.ClearAppId, old.IsAppIdPresent,
		func(s *plain) *string { return &s.AppId }),
	row(newapi.PropertyClusterId, "west",
		old.ClusterId, old.SetClusterId, old.ClearClusterId, old.IsClusterIdPresent,
		func(s *plain) *string { return &s.ClusterId }),
}

func forEachProperty(t *testing.T, test func(*testing.T, property)) {
	t.Helper()
	for _, prop := range properties {
		t.Run(prop.name, func(t *testing.T) { test(t, prop) })
	}
}

func fresh() old { return new(compat.Channel).CreateBasicProperties() }

// full has every property set.
func full() old {
	p := fresh()
	for _, prop := range properties {
		prop.set(p)
	}
	return p
}

// wantPresent checks all fourteen Is…Present methods at once.
func wantPresent(t *testing.T, p old, want newapi.PropertySet) {
	t.Helper()
	var got newapi.PropertySet
	for _, prop := range properties {
		if prop.present(p) {
			got |= prop.which
		}
	}
	if got != want {
		t.Errorf("present: %v, want %v", got, want)
	}
}

func TestTableNamesEveryProperty(t *testing.T) {
	var all newapi.PropertySet
	for _, prop := range properties {
		all |= prop.which
	}
	if len(properties) != 14 || all != everything {
		t.Errorf("%d rows for %v, want the 14 properties", len(properties), all)
	}
}

// everything is all fourteen bits, spelled independently of the table.
const everything newapi.PropertySet = 0xFFFC

func TestFreshValueHasNothingPresent(t *testing.T) {
	p := fresh()
	wantPresent(t, p, 0)
	want := map[string]any{
		"ContentType": "", "ContentEncoding": "", "Headers": newapi.Table{}, "DeliveryMode": uint8(0), "Priority": uint8(0),
		"CorrelationId": "", "ReplyTo": "", "Expiration": "", "MessageId": "", "Timestamp": time.Time{},
		"Type": "", "UserId": "", "AppId": "", "ClusterId": "",
	}
	forEachProperty(t, func(t *testing.T, prop property) {
		if diff := cmp.Diff(want[prop.name], prop.get(p)); diff != "" {
			t.Errorf("getter (-want +got):\n%s", diff)
		}
	})
}

func TestSetterSetsItsPropertyAlone(t *testing.T) {
	forEachProperty(t, func(t *testing.T, prop property) {
		p := fresh()
		prop.set(p)
		if diff := cmp.Diff(prop.value, prop.get(p)); diff != "" {
			t.Errorf("getter (-want +got):\n%s", diff)
		}
		wantPresent(t, p, prop.which)

		want := plain{Headers: newapi.Table{}}
		prop.setField(&want)
		if diff := cmp.Diff(want, compat.ToStruct(p)); diff != "" {
			t.Errorf("as a struct (-want +got):\n%s", diff)
		}
	})
}

func TestClearAndSettingZeroRemoveOneProperty(t *testing.T) {
	forEachProperty(t, func(t *testing.T, prop property) {
		for _, way := range []struct {
			name  string
			apply func(old)
		}{{"clear", prop.clear}, {"set zero", prop.setZero}} {
			p := full()
			way.apply(p)
			wantPresent(t, p, everything&^prop.which)

			zero := fresh()
			if diff := cmp.Diff(prop.get(zero), prop.get(p)); diff != "" {
				t.Errorf("getter after %s (-want +got):\n%s", way.name, diff)
			}
		}
	})
}

func TestClearOnAFreshValueDoesNothing(t *testing.T) {
	p := fresh()
	for _, prop := range properties {
		prop.clear(p)
	}
	wantPresent(t, p, 0)
}

func TestSendZeroIsPresentUntilSetOrCleared(t *testing.T) {
	forEachProperty(t, func(t *testing.T, prop property) {
		wantPresent(t, compat.FromStruct(plain{SendZero: prop.which}), prop.which)

		for _, way := range []struct {
			name  string
			apply func(old)
		}{{"clear", prop.clear}, {"set zero", prop.setZero}, {"set", func(p old) { prop.set(p); prop.clear(p) }}} {
			p := compat.FromStruct(plain{SendZero: everything})
			way.apply(p)
			wantPresent(t, p, everything&^prop.which)
			if got, want := compat.ToStruct(p).SendZero, everything&^prop.which; got != want {
				t.Errorf("SendZero after %s is %v, want %v", way.name, got, want)
			}
		}
	})
}

func TestVariablesShareOneValue(t *testing.T) {
	p := fresh()
	same := p
	same.SetPriority(4)
	if got := p.Priority(); got != 4 {
		t.Errorf("Priority through the first variable is %d, want 4", got)
	}
	if p != same {
		t.Error("two variables of one value are not equal")
	}
	if p == fresh() {
		t.Error("two fresh values are equal")
	}
}

func TestPersistentIsDeliveryMode(t *testing.T) {
	for _, test := range []struct {
		mode uint8
		want bool
	}{{0, false}, {newapi.Transient, false}, {newapi.Persistent, true}, {3, false}} {
		p := fresh()
		p.SetDeliveryMode(test.mode)
		if got := p.Persistent(); got != test.want {
			t.Errorf("Persistent with delivery mode %d is %v, want %v", test.mode, got, test.want)
		}
	}
	for persistent, want := range map[bool]uint8{false: newapi.Transient, true: newapi.Persistent} {
		p := fresh()
		p.SetPersistent(persistent)
		if got := p.DeliveryMode(); got != want {
			t.Errorf("delivery mode after SetPersistent(%v) is %d, want %d", persistent, got, want)
		}
		wantPresent(t, p, newapi.PropertyDeliveryMode)
	}
}

func TestReplyToAddressParsesReplyTo(t *testing.T) {
	for _, test := range []struct {
		replyTo string
		want    compat.PublicationAddress
		ok      bool
	}{
		{"direct://replies/client-4", compat.PublicationAddress{ExchangeType: "direct", ExchangeName: "replies", RoutingKey: "client-4"}, true},
		{"direct:///queue", compat.PublicationAddress{ExchangeType: "direct", RoutingKey: "queue"}, true},
		{"topic://replies/", compat.PublicationAddress{ExchangeType: "topic", ExchangeName: "replies"}, true},
		{"topic://replies/a/b", compat.PublicationAddress{ExchangeType: "topic", ExchangeName: "replies", RoutingKey: "a/b"}, true},
		{replyTo: ""},
		{replyTo: "amq.rabbitmq.reply-to"},
		{replyTo: "direct:replies/client-4"},
		{replyTo: "direct://replies"},
	} {
		p := fresh()
		p.SetReplyTo(test.replyTo)
		got, ok := p.ReplyToAddress()
		if got != test.want || ok != test.ok {
			t.Errorf("ReplyToAddress of %q is %+v, %v; want %+v, %v", test.replyTo, got, ok, test.want, test.ok)
		}
		if p.ReplyTo() != test.replyTo {
			t.Errorf("ReplyTo became %q from %q", p.ReplyTo(), test.replyTo)
		}
	}
}

func TestSetReplyToAddressSetsReplyTo(t *testing.T) {
	p := fresh()
	address := compat.PublicationAddress{ExchangeType: "direct", ExchangeName: "replies", RoutingKey: "client-4"}
	p.SetReplyToAddress(address)
	if got, want := p.ReplyTo(), "direct://replies/client-4"; got != want {
		t.Errorf("ReplyTo is %q, want %q", got, want)
	}
	if got, ok := p.ReplyToAddress(); got != address || !ok {
		t.Errorf("ReplyToAddress is %+v, %v; want %+v, true", got, ok, address)
	}
	wantPresent(t, p, newapi.PropertyReplyTo)
}

func TestTimestampZeroIsTheZeroTime(t *testing.T) {
	p := fresh()
	p.SetTimestamp(time.Unix(0, 0))
	wantPresent(t, p, newapi.PropertyTimestamp)
	p.SetTimestamp(time.Time{}.In(time.FixedZone("CET", 3600)))
	wantPresent(t, p, 0)
}

func TestHeadersIsTheTableItself(t *testing.T) {
	for _, test := range []struct {
		name string
		make func() old
	}{
		{"fresh", fresh},
		{"from an empty struct", func() old { return compat.FromStruct(plain{}) }},
		{"cleared", func() old { p := full(); p.ClearHeaders(); return p }},
		{"set to nil", func() old { p := full(); p.SetHeaders(nil); return p }},
		{"set to an empty table", func() old { p := full(); p.SetHeaders(compat.Table{}); return p }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := test.make()
			if got := p.Headers(); got == nil || len(got) != 0 {
				t.Fatalf("Headers is %#v, want an empty table", got)
			}
			if p.IsHeadersPresent() {
				t.Error("an empty table is present")
			}
			p.Headers()["attempt"] = int32(1)
			if diff := cmp.Diff(newapi.Table{"attempt": int32(1)}, compat.ToStruct(p).Headers); diff != "" {
				t.Errorf("headers after filling (-want +got):\n%s", diff)
			}
			if !p.IsHeadersPresent() {
				t.Error("a filled table is not present")
			}
			delete(p.Headers(), "attempt")
			if p.IsHeadersPresent() {
				t.Error("an emptied table is present")
			}
		})
	}
}

func TestSetHeadersKeepsTheMap(t *testing.T) {
	mine := compat.Table{"a": "1"}
	p := fresh()
	p.SetHeaders(mine)
	p.Headers()["b"] = "2"
	mine["c"] = "3"
	want := compat.Table{"a": "1", "b": "2", "c": "3"}
	if diff := cmp.Diff(want, p.Headers()); diff != "" {
		t.Errorf("Headers (-want +got):\n%s", diff)
	}
	p.ClearHeaders()
	if diff := cmp.Diff(want, mine); diff != "" {
		t.Errorf("the caller's map after ClearHeaders (-want +got):\n%s", diff)
	}
}
