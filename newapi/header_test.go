package newapi

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// headerFunc is an AMQPHeader made of a function.
type headerFunc func(dst []byte) ([]byte, error)

func (f headerFunc) AppendHeader(dst []byte) ([]byte, error) { return f(dst) }

// Each of these embeds a property type of this package, whose bytes are
// trusted, and writes bytes of its own, which must not be.
type (
	overridesStruct   struct{ BasicProperties }
	overridesTyped    struct{ BasicPropertiesOf[Fields] }
	overridesReadOnly struct{ ReadOnlyBasicProperties }
	overridesDelivery struct{ Delivery }
	overridesPointer  struct{ *BasicProperties }
)

const cutShort = "\x80\x00\x05abc"

func (overridesStruct) AppendHeader(dst []byte) ([]byte, error) { return append(dst, cutShort...), nil }
func (overridesTyped) AppendHeader(dst []byte) ([]byte, error)  { return append(dst, cutShort...), nil }
func (overridesReadOnly) AppendHeader(dst []byte) ([]byte, error) {
	return append(dst, cutShort...), nil
}
func (overridesDelivery) AppendHeader(dst []byte) ([]byte, error) {
	return append(dst, cutShort...), nil
}
func (overridesPointer) AppendHeader(dst []byte) ([]byte, error) {
	return append(dst, cutShort...), nil
}

func TestMalformedHeaderIsNotPublished(t *testing.T) {
	tenant := errors.New("no tenant")
	appends := func(s string) headerFunc {
		return func(dst []byte) ([]byte, error) { return append(dst, s...), nil }
	}
	for _, tt := range []struct {
		name    string
		publish func(ch Publisher) error
		want    string
	}{
		{"its own error", publishing(headerFunc(func(dst []byte) ([]byte, error) { return append(dst, 0, 0), tenant })), "no tenant"},
		{"nothing", publishing(appends("")), "malformed property list"},
		{"one octet", publishing(appends("\x00")), "malformed property list"},
		{"stops in a string", publishing(appends(cutShort)), "malformed property list"},
		{"stops before a string", publishing(appends("\x80\x00")), "malformed property list"},
		{"stops in a timestamp", publishing(appends("\x00\x40\x00\x00\x00")), "malformed property list"},
		{"stops in a table", publishing(appends("\x20\x00\x00\x00\x00\x08\x01k")), "malformed property list"},
		{"a table of 4 GiB", publishing(appends("\x20\x00\xff\xff\xff\xff")), "malformed property list"},
		{"an unknown field type", publishing(appends("\x20\x00\x00\x00\x00\x03\x01k?")), "malformed property list"},
		{"an array of length -1", publishing(appends("\x20\x00\x00\x00\x00\x07\x01kA\xff\xff\xff\xff")), "malformed property list"},
		{"octets left over", publishing(appends("\x00\x00\x00")), "malformed property list"},
		{"more flags announced", publishing(appends("\x00\x01\x00\x00")), "malformed property list"},
		{"flag of no property", publishing(appends("\x00\x02")), "malformed property list"},
		{"dst dropped", publishing(headerFunc(func([]byte) ([]byte, error) { return []byte("\x00\x00"), nil })), "did not append"},
		{"dst dropped for a longer one", publishing(headerFunc(func([]byte) ([]byte, error) { return make([]byte, 64), nil })), "did not append"},
		{"dst dropped for nil", publishing(headerFunc(func([]byte) ([]byte, error) { return nil, nil })), "did not append"},
		{"dst truncated", publishing(headerFunc(func(dst []byte) ([]byte, error) { return dst[:len(dst)-1], nil })), "did not append"},
		{"dst overwritten", publishing(headerFunc(func(dst []byte) ([]byte, error) { return append(dst[:0], make([]byte, 64)...), nil })), "did not append"},
		{"struct embedded", publishing(overridesStruct{}), "newapi.overridesStruct"},
		{"pointer to struct embedded", publishing(&overridesStruct{}), "*newapi.overridesStruct"},
		{"typed embedded", publishing(overridesTyped{}), "newapi.overridesTyped"},
		{"read-only embedded", publishing(overridesReadOnly{}), "newapi.overridesReadOnly"},
		{"delivery embedded", publishing(overridesDelivery{}), "newapi.overridesDelivery"},
		{"pointer embedded", publishing(overridesPointer{}), "newapi.overridesPointer"},
		{"as the interface", publishing[AMQPHeader](overridesStruct{}), "newapi.overridesStruct"},
		{"nil interface", publishing[AMQPHeader](nil), "nil AMQPHeader"},
	} {
		ch := new(recorder)
		err := tt.publish(ch)
		if err == nil || len(ch.messages) != 0 {
			t.Errorf("%s: error %v, %d messages published", tt.name, err, len(ch.messages))
			continue
		}
		if !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %q does not say %q", tt.name, err, tt.want)
		}
		if err := publishing(everyProperty)(ch); err != nil || len(ch.messages) != 1 {
			t.Errorf("%s: the next publish: %v", tt.name, err)
		}
	}
}

// publishing returns a publish of properties to whatever it is called with.
func publishing[P AMQPHeader](properties P) func(ch Publisher) error {
	return func(ch Publisher) error {
		return BasicPublish(context.Background(), ch, "x", "k", properties, nil)
	}
}

func TestReadOnlyRefusesWhatPublishRefuses(t *testing.T) {
	if p, err := ReadOnly(raw(cutShort)); err == nil || p != (ReadOnlyBasicProperties{}) {
		t.Errorf("ReadOnly of a list cut short = %v, %v", p, err)
	}
	if _, err := ReadOnly(BasicProperties{Type: strings.Repeat("x", 256)}); err == nil {
		t.Error("ReadOnly of a Type of 256 bytes: no error")
	}
	if _, err := ReadOnly[AMQPHeader](nil); err == nil {
		t.Error("ReadOnly of nil: no error")
	}
}

func TestPropertiesThatEmbedOursArePublished(t *testing.T) {
	type order struct{ BasicProperties }
	type job struct{ *BasicProperties }
	ch := new(recorder)
	p := BasicProperties{MessageId: "m"}
	for _, publish := range []func(Publisher) error{
		publishing(p), publishing(&p), publishing(order{p}), publishing(&order{p}), publishing(job{&p}),
		publishing[AMQPHeader](p), publishing[AMQPHeader](&p), publishing(Delivery{ReadOnlyBasicProperties: mustReadOnly(t, p)}),
		publishing(&Return{ReadOnlyBasicProperties: mustReadOnly(t, p)}),
		publishing(WithHeaders(p, Fields(nil))), publishing(mustReadOnly(t, p)),
	} {
		if err := publish(ch); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range ch.messages {
		if m.properties != mustReadOnly(t, p) {
			t.Errorf("publish %d sent %v", i, m.properties)
		}
	}
}

// takeScratches empties the pools as far as this goroutine can and returns
// what was in them.
func takeScratches() []*scratch {
	var taken []*scratch
	for i := 0; i < 64; i++ {
		taken = append(taken, scratches.Get().(*scratch), lent.Get().(*scratch))
	}
	return taken
}

func TestPanicLosesTheScratchAndNothingElse(t *testing.T) {
	var dirty []byte
	panicking := headerFunc(func(dst []byte) ([]byte, error) {
		dirty = append(dst, "half"...)
		panic("no tenant")
	})
	for _, tt := range []struct {
		name string
		ch   Publisher
		p    AMQPHeader
	}{
		{"in AppendHeader", new(recorder), panicking},
		{"in PublishEncoded", publisherFunc(func(_ context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
			dirty = m.Header
			panic("no tenant")
		}), BasicProperties{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			func() {
				defer func() {
					if r := recover(); r != "no tenant" {
						t.Errorf("recovered %v", r)
					}
				}()
				publishing(tt.p)(tt.ch)
			}()
			for _, s := range takeScratches() {
				if &s.buf[:cap(s.buf)][cap(s.buf)-1] == &dirty[:cap(dirty)][cap(dirty)-1] {
					t.Error("the scratch is back in the pool")
				}
			}
			if ch, ok := tt.ch.(*recorder); ok && len(ch.messages) != 0 {
				t.Errorf("%d messages published", len(ch.messages))
			}
			ch := new(recorder)
			if err := publishing(everyProperty)(ch); err != nil || len(ch.messages) != 1 {
				t.Errorf("the next publish: %v", err)
			}
		})
	}
}

func TestPoolKeepsOnlyItsOwnMemory(t *testing.T) {
	const size = 4 << 10
	var theirs []byte
	elsewhere := headerFunc(func(dst []byte) ([]byte, error) {
		theirs = append(make([]byte, 0, size), dst...)
		theirs = append(theirs, 0, 0)
		return theirs, nil
	})
	if err := publishing(elsewhere)(new(recorder)); err != nil {
		t.Fatal(err)
	}
	for _, s := range takeScratches() {
		if cap(s.buf) == size {
			t.Error("memory that came from an AppendHeader is in the pool")
		}
	}
}

func TestPoolKeepsNoLargeMemory(t *testing.T) {
	if err := publishing(BasicProperties{Headers: Table{"large": make([]byte, maxPooled)}})(new(recorder)); err != nil {
		t.Fatal(err)
	}
	for _, s := range takeScratches() {
		if cap(s.buf) > maxPooled {
			t.Errorf("a scratch of %d bytes is in the pool", cap(s.buf))
		}
	}
}

func TestPoolGrowsToTheUsualHeader(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are not counted under -race")
	}
	ctx, ch := context.Background(), new(discard)
	p := BasicProperties{Headers: Table{"k": make([]byte, 20<<10)}}
	if n := testing.AllocsPerRun(100, func() { BasicPublish(ctx, ch, "", "q", p, nil) }); n != 0 {
		t.Errorf("%v allocations for each header of 20 KiB", n)
	}
}
