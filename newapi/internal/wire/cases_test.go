package wire

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// Inputs that broke AMQP clients, here as far as bytes and values go. Each goes
// through frames.

// message is what a message's frames hold.
type message struct {
	method Method
	header ContentHeader
	bodies []string // one per frame
}

// readMessage takes a message apart, frame by frame, as a reader does.
func readMessage(t *testing.T, src []byte, frameMax int) message {
	t.Helper()
	var m message
	var received uint64
	for len(src) > 0 {
		f, n, err := ParseFrame(src, frameMax)
		if err != nil || n == 0 {
			t.Fatalf("frame: %d octets of %q, %v", n, src, err)
		}
		switch f.Type {
		case FrameMethod:
			m.method, err = ParseMethod(f.Payload)
		case FrameHeader:
			m.header, err = ParseContentHeader(f.Payload)
		case FrameBody:
			m.bodies = append(m.bodies, string(f.Payload))
			received += uint64(len(f.Payload))
		}
		if err != nil {
			t.Fatal(err)
		}
		src = src[n:]
	}
	if received != m.header.BodySize {
		t.Fatalf("%d octets of body where the header announced %d", received, m.header.BodySize)
	}
	return m
}

func delivery(properties []byte, body string, frameMax int) []byte {
	b := mustAppend(AppendMethod(nil, 1, &BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1, RoutingKey: "q"}))
	b = AppendContentHeader(b, 1, uint64(len(body)), properties)
	return AppendBody(b, 1, []byte(body), frameMax)
}

func TestDeliveryWithEveryProperty(t *testing.T) {
	m := readMessage(t, delivery(propertyList(everyProperty...), "x", 4096), 4096)
	for _, p := range everyProperty {
		if got, ok := Property(m.header.Properties, p.flag); !ok || string(got) != p.value {
			t.Errorf("%s: %q, %v; want %q", p.flag, got, ok, p.value)
		}
	}
	if len(m.bodies) != 1 || m.bodies[0] != "x" {
		t.Errorf("body %q", m.bodies)
	}
}

func TestDeliveryWithMessageIDOnly(t *testing.T) {
	m := readMessage(t, delivery(propertyList(property{FlagMessageID, "id", "\x02id"}), "", 4096), 4096)
	if got := Flags(m.header.Properties); got != FlagMessageID {
		t.Errorf("present: %s, want message-id", got)
	}
	if got, ok := Property(m.header.Properties, FlagMessageID); !ok || string(got) != "id" {
		t.Errorf("message-id: %q, %v", got, ok)
	}
}

func TestAbsentAndEmptyHeadersDiffer(t *testing.T) {
	absent := readMessage(t, delivery(propertyList(), "", 0), 0).header
	if value, ok := Property(absent.Properties, FlagHeaders); ok || value != nil {
		t.Errorf("absent headers: %q, %v", value, ok)
	}

	empty := readMessage(t, delivery(propertyList(property{FlagHeaders, "", "\x00\x00\x00\x00"}), "", 0), 0).header
	value, ok := Property(empty.Properties, FlagHeaders)
	if !ok || value == nil || len(value) != 0 {
		t.Errorf("empty headers: %#v, %v; want present and empty", value, ok)
	}
	if table, err := DecodeFields(value); err != nil || table == nil {
		t.Errorf("empty headers decode to %#v, %v", table, err)
	}

	forwarded := readMessage(t, delivery(empty.Properties, "", 0), 0).header
	if !bytes.Equal(forwarded.Properties, empty.Properties) || Flags(forwarded.Properties) != FlagHeaders {
		t.Errorf("forwarded as %q, want %q", forwarded.Properties, empty.Properties)
	}
}

func TestEmptyBodyIsTwoFrames(t *testing.T) {
	b := mustAppend(AppendBasicPublish(nil, 1, "", "q", false, false))
	b = AppendContentHeader(b, 1, 0, propertyList())
	before := len(b)
	if b = AppendBody(b, 1, nil, 4096); len(b) != before {
		t.Errorf("an empty body appended %q", b[before:])
	}
	if m := readMessage(t, b, 4096); m.header.BodySize != 0 || m.bodies != nil {
		t.Errorf("read back as %+v", m)
	}
}

func TestBodyAtTheFrameLimit(t *testing.T) {
	for extra, frames := range map[int]int{-1: 1, 0: 1, 1: 2} {
		body := strings.Repeat("b", 4096-FrameOverhead+extra)
		m := readMessage(t, delivery(propertyList(), body, 4096), 4096)
		if len(m.bodies) != frames || strings.Join(m.bodies, "") != body {
			t.Errorf("frame_max-8%+d octets: %d frames, want %d", extra, len(m.bodies), frames)
		}
	}
}

// sendHeader puts one header value through whole frames.
func sendHeader(t *testing.T, v any) (fields []byte, decoded any) {
	t.Helper()
	table, err := AppendTable(nil, Table{"h": v})
	if err != nil {
		t.Fatal(err)
	}
	m := readMessage(t, delivery(propertyList(property{flag: FlagHeaders, encoded: string(table)}), "", 0), 0)
	fields, ok := Property(m.header.Properties, FlagHeaders)
	if !ok {
		t.Fatal("headers are absent")
	}
	headers, err := DecodeFields(fields)
	if err != nil {
		t.Fatal(err)
	}
	return fields, headers["h"]
}

func TestHeaderIntegersArriveWhole(t *testing.T) {
	tests := []struct {
		value any
		tag   byte
		want  any
	}{
		{int(3), 'I', int32(3)},
		{wideInt(2419200000), 'l', int64(2419200000)},
		{uint16(3), 'u', uint16(3)},
		{uint32(3), 'i', uint32(3)},
	}
	for _, test := range tests {
		fields, got := sendHeader(t, test.value)
		if tag := fields[2]; tag != test.tag || got != test.want {
			t.Errorf("%T(%[1]v): tag %q, value %T(%[3]v); want %q, %T(%[5]v)", test.value, tag, got, test.tag, test.want)
		}
	}
}

func TestHeaderSlicesAndMapsArrive(t *testing.T) {
	type attributes map[string]any
	tests := []struct{ value, want any }{
		{[]string{"a", "b"}, []any{"a", "b"}},
		{map[string]any{"in": map[string]any{"deep": int64(1)}}, Table{"in": Table{"deep": int64(1)}}},
		{attributes{"k": "v"}, Table{"k": "v"}},
	}
	for _, test := range tests {
		if _, got := sendHeader(t, test.value); !sameValue(got, test.want) {
			t.Errorf("%#v arrived as %#v, want %#v", test.value, got, test.want)
		}
	}
}

func TestHeaderThatCannotBeSentIsNamed(t *testing.T) {
	for _, v := range []any{uint64(math.MaxUint64), make(chan int), struct{}{}} {
		dst, err := AppendTable([]byte("kept"), Table{"a": Table{"b": []any{0, 1, v}}})
		if !errors.Is(err, amqp091.ErrFieldType) || !strings.Contains(err.Error(), "a.b[2]") || string(dst) != "kept" {
			t.Errorf("%T: %q, %v; want an error that names a.b[2] and nothing written", v, dst, err)
		}
	}
}

func TestShortStringLimitCountsOctets(t *testing.T) {
	for _, s := range []string{"", strings.Repeat("c", 255), strings.Repeat("é", 127)} {
		got, err := AppendShortstr([]byte("before"), s)
		if want := "before" + string([]byte{byte(len(s))}) + s; err != nil || string(got) != want {
			t.Errorf("%d octets: %v", len(s), err)
		}
	}
	for _, s := range []string{strings.Repeat("c", 256), strings.Repeat("é", 128)} {
		got, err := AppendShortstr([]byte("kept"), s)
		var short *ShortstrError
		if string(got) != "kept" || !errors.As(err, &short) || short.Len != 256 {
			t.Errorf("%d octets: %.20q, %v; want a *ShortstrError and nothing written", len(s), got, err)
		}
	}
}

func TestHeadersLargerThanFrameMax(t *testing.T) {
	table := mustAppend(AppendTable(nil, Table{"h": strings.Repeat("v", 4096)}))
	frame := AppendContentHeader(nil, 1, 0, propertyList(property{flag: FlagHeaders, encoded: string(table)}))
	if _, _, err := ParseFrame(frame, 4096); !errors.Is(err, ErrFrameTooLarge) {
		t.Errorf("%d octets: %v, want ErrFrameTooLarge", len(frame), err)
	}
	if _, _, err := ParseFrame(frame, len(frame)); err != nil {
		t.Errorf("exactly frame_max: %v", err)
	}
}

func TestZeroValuesThatAreSentArePresent(t *testing.T) {
	tests := []property{
		{FlagPriority, "\x00", "\x00"},
		{FlagDeliveryMode, "\x00", "\x00"},
		{FlagTimestamp, "\x00\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{FlagTimestamp, "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{FlagCorrelationID, "", "\x00"},
	}
	for _, p := range tests {
		m := readMessage(t, delivery(propertyList(p), "", 0), 0)
		if got, ok := Property(m.header.Properties, p.flag); !ok || string(got) != p.value {
			t.Errorf("%s: %q, %v; want %q and present", p.flag, got, ok, p.value)
		}
		m = readMessage(t, delivery(propertyList(), "", 0), 0)
		if got, ok := Property(m.header.Properties, p.flag); ok {
			t.Errorf("%s not sent, but is %q", p.flag, got)
		}
	}
}

func TestAnyTimestampIsAccepted(t *testing.T) {
	for _, seconds := range []uint64{0, 1, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64} {
		fields := []byte("\x01hT")
		for shift := 56; shift >= 0; shift -= 8 {
			fields = append(fields, byte(seconds>>shift))
		}
		headers, err := DecodeFields(fields)
		if err != nil {
			t.Fatalf("%d: %v", seconds, err)
		}
		when := headers["h"].(time.Time)
		if when.Location() != time.UTC {
			t.Errorf("%d: %v is not in UTC", seconds, when)
		}
		if again := mustAppend(AppendFields(nil, headers)); !bytes.Equal(again, fields) {
			t.Errorf("%d: sent again as %q, want %q", seconds, again, fields)
		}
	}
}

func TestHostileDeliveryIsASyntaxError(t *testing.T) {
	for _, fields := range []string{
		"\x01kS\xff\xff\xff\xff",      // string length 0xFFFFFFFF, or -1
		"\x01kx\xff\xff\xff\xff",      // bytes, likewise
		"\x01kA\x00\x00\x00\x01S",     // array cut after a type octet
		"\x01kA\xff\xff\xff\xff",      // array size -1
		"\x01kF\x80\x00\x00\x00\x00",  // negative table size
		"\x01kD\x02\x00\x00",          // decimal cut
		"\xff",                        // name longer than the table
		"\x01k\x00",                   // no such type
		"\x01kF\x00\x00\x00\x02\x01a", // nested field without a value
	} {
		list := propertyList(property{flag: FlagHeaders, encoded: string(headerTable([]byte(fields)))})
		frame := AppendContentHeader(nil, 1, 0, list)
		f, _, err := ParseFrame(frame, 0)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := ParseContentHeader(f.Payload); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %+v, %v; want ErrSyntax", fields, h, err)
		}
	}
}

func TestFrameOneOctetAboveTheLimit(t *testing.T) {
	const frameMax = 4096
	header := AppendFrameHeader(nil, FrameBody, 1, frameMax-FrameOverhead+1)
	var err error
	allocs := testing.AllocsPerRun(1, func() { _, _, _, err = ParseFrameHeader(header, frameMax) })
	if !errors.Is(err, ErrFrameTooLarge) {
		t.Errorf("got %v, want ErrFrameTooLarge", err)
	}
	if allocs > 10 { // the error and the numbers in it
		t.Errorf("%v allocations to refuse a frame", allocs)
	}
	header = AppendFrameHeader(nil, FrameBody, 1, frameMax-FrameOverhead)
	if _, _, size, err := ParseFrameHeader(header, frameMax); err != nil || size != frameMax-FrameOverhead {
		t.Errorf("exactly frame_max: %d, %v", size, err)
	}
}

func TestForeignPropertiesThatStopInAString(t *testing.T) {
	for _, list := range []string{"\x80\x00\x0atext", "\x80\x00", "\x84\x00\x01a\x05co"} {
		if err := ValidateProperties([]byte(list)); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v, want ErrSyntax", list, err)
		}
	}
}
