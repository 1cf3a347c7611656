package newapi

import (
	"bytes"
	"math"
	"reflect"
	"testing"
	"time"
)

// raw is an AMQPHeader of bytes as they are.
type raw string

func (r raw) AppendHeader(dst []byte) ([]byte, error) { return append(dst, r...), nil }

func mustReadOnly[P AMQPHeader](t testing.TB, properties P) ReadOnlyBasicProperties {
	t.Helper()
	p, err := ReadOnly(properties)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var everyProperty = BasicProperties{
	ContentType: "application/json", ContentEncoding: "gzip",
	Headers:      Table{"s": "x", "n": int64(7), "t": Table{"a": []any{int32(1), nil}}},
	DeliveryMode: Persistent, Priority: 9, CorrelationId: "c", ReplyTo: "direct://replies/me",
	Expiration: "60000", MessageId: "m", Timestamp: time.Unix(1700000000, 0).UTC(),
	Type: "order", UserId: "guest", AppId: "shop", ClusterId: "k",
}

func TestReadOnlyHasWhatWasSent(t *testing.T) {
	sent := everyProperty
	p := mustReadOnly(t, sent)
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"ContentType", p.ContentType(), sent.ContentType},
		{"ContentEncoding", p.ContentEncoding(), sent.ContentEncoding},
		{"Headers", p.Headers(), sent.Headers},
		{"DeliveryMode", p.DeliveryMode(), sent.DeliveryMode},
		{"Priority", p.Priority(), sent.Priority},
		{"CorrelationId", p.CorrelationId(), sent.CorrelationId},
		{"ReplyTo", p.ReplyTo(), sent.ReplyTo},
		{"Expiration", p.Expiration(), sent.Expiration},
		{"MessageId", p.MessageId(), sent.MessageId},
		{"Timestamp", p.Timestamp(), sent.Timestamp},
		{"Type", p.Type(), sent.Type},
		{"UserId", p.UserId(), sent.UserId},
		{"AppId", p.AppId(), sent.AppId},
		{"ClusterId", p.ClusterId(), sent.ClusterId},
		{"Present", p.Present(), allProperties},
		{"Struct", p.Struct(), sent},
	} {
		if !reflect.DeepEqual(tt.got, tt.want) {
			t.Errorf("%s = %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	if addr, ok := p.ReplyToAddress(); !ok || addr != (PublicationAddress{"direct", "replies", "me"}) {
		t.Errorf("ReplyToAddress() = %v, %v", addr, ok)
	}
}

func TestReadOnlyOfOnePropertyHasNoOther(t *testing.T) {
	for _, tt := range propertyCases {
		var sent BasicProperties
		tt.ours(&sent)
		if tt.property == PropertyTimestamp {
			sent.Timestamp = sent.Timestamp.Truncate(time.Second).UTC()
		}
		p := mustReadOnly(t, sent)
		if p.Present() != tt.property {
			t.Errorf("%v: Present() = %v", tt.property, p.Present())
		}
		if got := p.Struct(); !reflect.DeepEqual(got, sent) {
			t.Errorf("%v: Struct() = %+v, want %+v", tt.property, got, sent)
		}
	}
}

func TestReadOnlyTellsZeroFromAbsent(t *testing.T) {
	for _, tt := range propertyCases {
		sent := BasicProperties{SendZero: tt.property}
		p := mustReadOnly(t, sent)
		if p.Present() != tt.property {
			t.Errorf("%v: Present() = %v", tt.property, p.Present())
		}
		got := p.Struct()
		if !bytes.Equal(encode(t, got), encode(t, sent)) {
			t.Errorf("%v: Struct() encodes as %q, was %q", tt.property, encode(t, got), encode(t, sent))
		}
		if want := tt.property &^ PropertyTimestamp; got.SendZero != want { // 1970 is no zero Time
			t.Errorf("%v: Struct().SendZero = %v", tt.property, got.SendZero)
		}
	}

	absent, empty := mustReadOnly(t, BasicProperties{}), mustReadOnly(t, BasicProperties{SendZero: PropertyHeaders})
	if absent.Headers() != nil {
		t.Errorf("absent headers = %v, want nil", absent.Headers())
	}
	if h := empty.Headers(); h == nil || len(h) != 0 {
		t.Errorf("empty headers = %#v, want empty and not nil", h)
	}
}

func TestZeroReadOnlyHasNoProperties(t *testing.T) {
	var zero ReadOnlyBasicProperties
	if got := zero.Struct(); !reflect.DeepEqual(got, BasicProperties{}) {
		t.Errorf("Struct() = %+v", got)
	}
	if value, ok := zero.Header("k"); ok || value != nil {
		t.Errorf("Header = %v, %v", value, ok)
	}
	if _, ok := zero.ReplyToAddress(); ok {
		t.Error("ReplyToAddress is ok")
	}
	if zero.Present() != 0 || !zero.Timestamp().IsZero() || zero.String() != "{}" {
		t.Errorf("Present() = %v, Timestamp() = %v, String() = %q", zero.Present(), zero.Timestamp(), zero.String())
	}
	if got := encode(t, zero); string(got) != "\x00\x00" {
		t.Errorf("encoded %q, want two zero octets", got)
	}
	if received := newReadOnly([]byte{0, 0}); received != zero {
		t.Errorf("received without properties: %#v is not the zero value", received)
	}
	if newReadOnly(nil) != zero {
		t.Error("nothing received is not the zero value")
	}
}

func TestReceivedTimestamps(t *testing.T) {
	zeroTime := uint64(time.Time{}.Unix() & math.MaxInt64) // with the sign bit, below
	zeroTime |= 1 << 63
	for _, seconds := range []uint64{0, 1, 1700000000, math.MaxInt64, 1 << 63, zeroTime, zeroTime + 1, math.MaxUint64} {
		header := raw("\x00\x40")
		for shift := 56; shift >= 0; shift -= 8 {
			header += raw([]byte{byte(seconds >> shift)})
		}
		p := mustReadOnly(t, header)
		got := p.Timestamp()
		if got.IsZero() {
			t.Errorf("%d: Timestamp() is zero, as if absent", seconds)
		}
		if got.Unix() != int64(seconds) || got.Location() != time.UTC {
			t.Errorf("%d: Timestamp() = %v, Unix() = %d", seconds, got, got.Unix())
		}
		if again := encode(t, p.Struct()); string(again) != string(header) {
			t.Errorf("%d: Struct() encodes as %q, was %q", seconds, again, header)
		}
	}
	if p := mustReadOnly(t, BasicProperties{}); !p.Timestamp().IsZero() {
		t.Errorf("absent: Timestamp() = %v", p.Timestamp())
	}
}

func TestHeaderReadsOneValue(t *testing.T) {
	p := mustReadOnly(t, WithHeaders(BasicProperties{}, Fields{
		{"a", "x"}, {"nil", nil}, {"twice", 1}, {"t", Table{"inner": true}}, {"twice", 2}, {"", "unnamed"},
	}))
	headers := p.Headers()
	want := Table{"a": "x", "nil": nil, "twice": int32(2), "t": Table{"inner": true}, "": "unnamed"}
	for name, want := range want {
		if got, ok := p.Header(name); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("Header(%q) = %v, %v; want %v", name, got, ok, want)
		}
		if got := headers[name]; !reflect.DeepEqual(got, want) {
			t.Errorf("Headers()[%q] = %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{"inner", "A", "missing"} {
		if got, ok := p.Header(name); ok || got != nil {
			t.Errorf("Header(%q) = %v, %v", name, got, ok)
		}
	}
}

func TestReadOnlyCannotBeChangedThroughWhatItReturns(t *testing.T) {
	p := mustReadOnly(t, BasicProperties{Headers: Table{"b": []byte("bytes"), "t": Table{"k": []byte("bytes")}}})
	before := string(encode(t, p))
	for i := 0; i < 2; i++ {
		headers := p.Headers()
		copy(headers["b"].([]byte), "xxxxx")
		copy(headers["t"].(Table)["k"].([]byte), "xxxxx")
		headers["new"] = 1
		b, _ := p.Header("b")
		copy(b.([]byte), "xxxxx")
		p.Struct().Headers["new"] = 1
		encoded := encode(t, p)
		copy(encoded, "xxxxxxxxxxxx")
	}
	if after := string(encode(t, p)); after != before {
		t.Errorf("properties were %q and are %q", before, after)
	}
}

func TestReadOnlyKeepsNothingOfItsSource(t *testing.T) {
	source := []byte("\x80\x00\x04text")
	p := mustReadOnly(t, encodedHeader(source))
	copy(source, "xxxxxxx")
	if p.ContentType() != "text" {
		t.Errorf("ContentType() = %q after the source changed", p.ContentType())
	}
}

func TestForwardingIsByteExact(t *testing.T) {
	for _, header := range []raw{
		"\x00\x00",
		"\x20\x00\x00\x00\x00\x00", // an empty table
		"\x20\x00\x00\x00\x00\x08\x01at\x02\x01at\x00",                   // a name twice, true as 2
		"\x20\x00\x00\x00\x00\x0b\x01bL\x00\x00\x00\x00\x00\x00\x00\x01", // a tag we do not write
		"\xf8\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00",                   // zeros
	} {
		if got := encode(t, mustReadOnly(t, header)); string(got) != string(header) {
			t.Errorf("received %q, forwarded %q", header, got)
		}
	}
}

func TestReadOnlyAsText(t *testing.T) {
	p := everyProperty
	p.Headers = Table{"b": 2, "a": "x"}
	for _, tt := range []struct {
		p    BasicProperties
		want string
	}{
		{BasicProperties{}, "{}"},
		{BasicProperties{Priority: 5, ContentType: "text/plain"}, `{ContentType:"text/plain" Priority:5}`},
		{BasicProperties{SendZero: PropertyHeaders | PropertyMessageId}, `{Headers:map[] MessageId:""}`},
		{p, `{ContentType:"application/json" ContentEncoding:"gzip" Headers:map[a:x b:2] DeliveryMode:2 Priority:9 ` +
			`CorrelationId:"c" ReplyTo:"direct://replies/me" Expiration:"60000" MessageId:"m" ` +
			`Timestamp:2023-11-14T22:13:20Z Type:"order" UserId:"guest" AppId:"shop" ClusterId:"k"}`},
	} {
		if got := mustReadOnly(t, tt.p).String(); got != tt.want {
			t.Errorf("String() = %s\nwant       %s", got, tt.want)
		}
	}
}

func TestReadOnlyAccessorsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are not counted under -race")
	}
	p := mustReadOnly(t, everyProperty)
	var sink int
	if n := testing.AllocsPerRun(100, func() {
		sink += len(p.ContentType()) + len(p.MessageId()) + int(p.Priority()) + p.Timestamp().Second() + int(p.Present())
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
