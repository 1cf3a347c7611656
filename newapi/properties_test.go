package newapi

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// propertyCase sets one property in each of the two APIs. amqp091-go does not
// know ClusterId.
type propertyCase struct {
	property PropertySet
	ours     func(*BasicProperties)
	theirs   func(*amqp091.Publishing)
	zero     string // how the property's zero is encoded
}

var propertyCases = []propertyCase{
	{PropertyContentType, func(p *BasicProperties) { p.ContentType = "text/plain" }, func(p *amqp091.Publishing) { p.ContentType = "text/plain" }, "\x00"},
	{PropertyContentEncoding, func(p *BasicProperties) { p.ContentEncoding = "gzip" }, func(p *amqp091.Publishing) { p.ContentEncoding = "gzip" }, "\x00"},
	{PropertyHeaders, func(p *BasicProperties) { p.Headers = Table{"k": "v"} }, func(p *amqp091.Publishing) { p.Headers = Table{"k": "v"} }, "\x00\x00\x00\x00"},
	{PropertyDeliveryMode, func(p *BasicProperties) { p.DeliveryMode = Persistent }, func(p *amqp091.Publishing) { p.DeliveryMode = Persistent }, "\x00"},
	{PropertyPriority, func(p *BasicProperties) { p.Priority = 255 }, func(p *amqp091.Publishing) { p.Priority = 255 }, "\x00"},
	{PropertyCorrelationId, func(p *BasicProperties) { p.CorrelationId = "c-1" }, func(p *amqp091.Publishing) { p.CorrelationId = "c-1" }, "\x00"},
	{PropertyReplyTo, func(p *BasicProperties) { p.ReplyTo = "replies" }, func(p *amqp091.Publishing) { p.ReplyTo = "replies" }, "\x00"},
	{PropertyExpiration, func(p *BasicProperties) { p.Expiration = ImmediatelyExpire }, func(p *amqp091.Publishing) { p.Expiration = ImmediatelyExpire }, "\x00"},
	{PropertyMessageId, func(p *BasicProperties) { p.MessageId = "m-1" }, func(p *amqp091.Publishing) { p.MessageId = "m-1" }, "\x00"},
	{PropertyTimestamp, func(p *BasicProperties) { p.Timestamp = time.Unix(1700000000, 999) }, func(p *amqp091.Publishing) { p.Timestamp = time.Unix(1700000000, 999) }, "\x00\x00\x00\x00\x00\x00\x00\x00"},
	{PropertyType, func(p *BasicProperties) { p.Type = "order" }, func(p *amqp091.Publishing) { p.Type = "order" }, "\x00"},
	{PropertyUserId, func(p *BasicProperties) { p.UserId = "guest" }, func(p *amqp091.Publishing) { p.UserId = "guest" }, "\x00"},
	{PropertyAppId, func(p *BasicProperties) { p.AppId = "shop" }, func(p *amqp091.Publishing) { p.AppId = "shop" }, "\x00"},
	{PropertyClusterId, func(p *BasicProperties) { p.ClusterId = "x" }, nil, "\x00"},
}

// encode returns the property flags and list of properties.
func encode(t testing.TB, properties AMQPHeader) []byte {
	t.Helper()
	encoded, err := properties.AppendHeader(nil)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestEachPropertyAlone(t *testing.T) {
	upstream := dialUpstream(t)
	for _, tt := range propertyCases {
		t.Run(tt.property.String(), func(t *testing.T) {
			var ours BasicProperties
			if ours.Present() != 0 {
				t.Errorf("the zero value has %v", ours.Present())
			}
			tt.ours(&ours)
			if ours.Present() != tt.property {
				t.Errorf("Present() = %v", ours.Present())
			}
			got := encode(t, ours)
			want := []byte("\x00\x04\x01x")
			if tt.theirs != nil {
				var theirs amqp091.Publishing
				tt.theirs(&theirs)
				want = upstream.publish(t, theirs)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("encoded %q, amqp091-go sends %q", got, want)
			}
		})
	}
}

func TestEveryCombinationOfPropertiesAsUpstream(t *testing.T) {
	upstream := dialUpstream(t)
	withTheirs := propertyCases[:len(propertyCases)-1]
	for subset := 0; subset < 1<<len(withTheirs); subset++ {
		var ours BasicProperties
		var theirs amqp091.Publishing
		var set PropertySet
		for i, property := range withTheirs {
			if subset&(1<<i) != 0 {
				property.ours(&ours)
				property.theirs(&theirs)
				set |= property.property
			}
		}
		if got, want := encode(t, ours), upstream.publish(t, theirs); !bytes.Equal(got, want) {
			t.Fatalf("%v: encoded %q, amqp091-go sends %q", set, got, want)
		}
		if ours.Present() != set {
			t.Fatalf("Present() = %v, want %v", ours.Present(), set)
		}
	}
}

func TestSendZero(t *testing.T) {
	for _, tt := range propertyCases {
		t.Run(tt.property.String(), func(t *testing.T) {
			zero := BasicProperties{SendZero: tt.property}
			if zero.Present() != tt.property {
				t.Errorf("Present() = %v", zero.Present())
			}
			want := []byte{byte(tt.property >> 8), byte(tt.property)}
			want = append(want, tt.zero...)
			if got := encode(t, zero); !bytes.Equal(got, want) {
				t.Errorf("encoded %q, want %q", got, want)
			}

			var set BasicProperties
			tt.ours(&set)
			without := encode(t, set)
			set.SendZero = tt.property
			if got := encode(t, set); !bytes.Equal(got, without) {
				t.Errorf("not zero: encoded %q with SendZero, %q without", got, without)
			}
		})
	}
	t.Run("bits of no property", func(t *testing.T) {
		p := BasicProperties{SendZero: 0b11}
		if p.Present() != 0 || !bytes.Equal(encode(t, p), []byte{0, 0}) {
			t.Errorf("Present() = %v, encoded %q", p.Present(), encode(t, p))
		}
	})
}

func TestTimestampOnTheWire(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    BasicProperties
		want string
	}{
		{"zero time", BasicProperties{}, "\x00\x00"},
		{"zero time in another zone", BasicProperties{Timestamp: time.Time{}.In(time.FixedZone("", 3600))}, "\x00\x00"},
		{"zero time in SendZero", BasicProperties{SendZero: PropertyTimestamp}, "\x00\x40\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"1970", BasicProperties{Timestamp: time.Unix(0, 0)}, "\x00\x40\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"before 1970", BasicProperties{Timestamp: time.Unix(-1, 0)}, "\x00\x40\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"fraction cut", BasicProperties{Timestamp: time.Unix(1, 999999999)}, "\x00\x40\x00\x00\x00\x00\x00\x00\x00\x01"},
	} {
		if got := encode(t, tt.p); string(got) != tt.want {
			t.Errorf("%s: encoded %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestStringPropertiesHoldAtMost255Bytes(t *testing.T) {
	stringProperties := []struct {
		name string
		set  func(*BasicProperties, string)
	}{
		{"ContentType", func(p *BasicProperties, s string) { p.ContentType = s }},
		{"ContentEncoding", func(p *BasicProperties, s string) { p.ContentEncoding = s }},
		{"CorrelationId", func(p *BasicProperties, s string) { p.CorrelationId = s }},
		{"ReplyTo", func(p *BasicProperties, s string) { p.ReplyTo = s }},
		{"Expiration", func(p *BasicProperties, s string) { p.Expiration = s }},
		{"MessageId", func(p *BasicProperties, s string) { p.MessageId = s }},
		{"Type", func(p *BasicProperties, s string) { p.Type = s }},
		{"UserId", func(p *BasicProperties, s string) { p.UserId = s }},
		{"AppId", func(p *BasicProperties, s string) { p.AppId = s }},
		{"ClusterId", func(p *BasicProperties, s string) { p.ClusterId = s }},
	}
	for _, property := range stringProperties {
		var p BasicProperties
		property.set(&p, strings.Repeat("x", 255))
		if got := encode(t, p); len(got) != 2+1+255 || got[2] != 255 {
			t.Errorf("%s of 255 bytes: encoded %q", property.name, got)
		}
		for _, long := range []string{strings.Repeat("x", 256), strings.Repeat("é", 128), strings.Repeat("x", 1<<16)} {
			property.set(&p, long)
			dst := []byte("kept")
			got, err := p.AppendHeader(dst)
			if err == nil || string(got) != "kept" {
				t.Errorf("%s of %d bytes: AppendHeader returned %q, %v", property.name, len(long), got, err)
				continue
			}
			for _, want := range []string{"newapi: " + property.name, " bytes", "255"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s of %d bytes: error %q does not say %q", property.name, len(long), err, want)
				}
			}
		}
	}
	err := func() error {
		_, err := BasicProperties{CorrelationId: strings.Repeat("é", 128)}.AppendHeader(nil)
		return err
	}()
	if want := "newapi: CorrelationId is 256 bytes, at most 255 fit a short string"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

type (
	named  map[string]any
	labels []string
	level  int
)

func TestHeaderValueIsEncodedAsUpstream(t *testing.T) {
	upstream := dialUpstream(t)
	for _, value := range []any{
		nil, true, false, int8(-1), uint8(200), int16(-2), uint16(3), int32(-4), uint32(3), int64(math.MinInt64),
		3, -1, math.MaxInt32, math.MinInt32, float32(1.5), 2.5, math.Inf(1), Decimal{Scale: 2, Value: -12345},
		"", "text", "ü", []byte{}, []byte{0, 255}, time.Unix(1700000000, 5), time.Unix(-1, 0), time.Time{},
		[]any{}, []any{1, "two", []any{nil}, Table{"x": 3.0}}, Table{}, Table{"n": Table{"m": uint16(1)}},
	} {
		want := upstream.publish(t, amqp091.Publishing{Headers: Table{"key": value}})
		if got := encode(t, BasicProperties{Headers: Table{"key": value}}); !bytes.Equal(got, want) {
			t.Errorf("header %T(%v): encoded %q, amqp091-go sends %q", value, value, got, want)
		}
	}
}

func TestHeaderValuesBeyondUpstream(t *testing.T) {
	type valueCase struct {
		value any
		want  string // tag and value
	}
	tests := []valueCase{
		{uint64(math.MaxInt64), "l\x7f\xff\xff\xff\xff\xff\xff\xff"},
		{uint(7), "l\x00\x00\x00\x00\x00\x00\x00\x07"},
		{level(3), "I\x00\x00\x00\x03"},
		{[]string{"a", "b"}, "A\x00\x00\x00\x0cS\x00\x00\x00\x01aS\x00\x00\x00\x01b"},
		{labels{"a"}, "A\x00\x00\x00\x06S\x00\x00\x00\x01a"},
		{map[string]any{"k": true}, "F\x00\x00\x00\x04\x01kt\x01"},
		{named{"k": true}, "F\x00\x00\x00\x04\x01kt\x01"},
		{map[string]string{"k": "v"}, "F\x00\x00\x00\x08\x01kS\x00\x00\x00\x01v"},
	}
	if strconv.IntSize == 64 { // else there is no such int
		high, low := int64(2419200000), int64(math.MinInt32-1)
		tests = append(tests,
			valueCase{int(high), "l\x00\x00\x00\x00\x90\x32\x10\x00"},
			valueCase{int(low), "l\xff\xff\xff\xff\x7f\xff\xff\xff"})
	}
	for _, tt := range tests {
		got := encode(t, BasicProperties{Headers: Table{"h": tt.value}})
		want := "\x20\x00\x00\x00\x00" + string(rune(2+len(tt.want))) + "\x01h" + tt.want
		if string(got) != want {
			t.Errorf("header %T(%v): encoded %q, want %q", tt.value, tt.value, got, want)
		}
	}
}

func TestHeaderThatCannotBeSent(t *testing.T) {
	long := strings.Repeat("n", 256)
	for _, tt := range []struct {
		headers Table
		words   []string
	}{
		{Table{"big": uint64(math.MaxUint64)}, []string{`newapi: header "big"`, "uint64", "string"}},
		{Table{"a": Table{"b": []any{1, 2, make(chan int)}}}, []string{`newapi: header "a.b[2]"`, "chan int"}},
		{Table{"s": struct{ X int }{1}}, []string{`newapi: header "s"`, "struct"}},
		{Table{"p": new(int)}, []string{`newapi: header "p"`, "*int", "pointer"}},
		{Table{"f": func() {}}, []string{`newapi: header "f"`, "func()"}},
		{Table{"m": map[int]string{1: "x"}}, []string{`newapi: header "m"`, "map[int]string", "string keys"}},
	} {
		dst := []byte("kept")
		got, err := BasicProperties{MessageId: "m", Headers: tt.headers}.AppendHeader(dst)
		if err == nil || string(got) != "kept" {
			t.Errorf("headers %v: AppendHeader returned %q, %v", tt.headers, got, err)
			continue
		}
		if !errors.Is(err, ErrFieldType) {
			t.Errorf("headers %v: error %q is not ErrFieldType", tt.headers, err)
		}
		for _, word := range tt.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("headers %v: error %q does not say %q", tt.headers, err, word)
			}
		}
	}
	_, err := BasicProperties{Headers: Table{long: 1}}.AppendHeader(nil)
	if err == nil || !strings.Contains(err.Error(), "header name") || !strings.Contains(err.Error(), "256 bytes") {
		t.Errorf("header name of 256 bytes: error %v", err)
	}
}
