package amqptest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// encode returns properties as a recording has them.
func encode[P newapi.AMQPHeader](tb testing.TB, properties P) newapi.ReadOnlyBasicProperties {
	tb.Helper()
	p, err := newapi.ReadOnly(properties)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// octets are properties as a peer may have sent them.
type octets string

func (o octets) AppendHeader(dst []byte) ([]byte, error) { return append(dst, o...), nil }

// raw returns a recording of one message that has these properties and no body.
func raw(tb testing.TB, properties octets) []Published {
	tb.Helper()
	return []Published{{Properties: encode(tb, properties)}}
}

// everyProperty returns a message with every property, changed by change.
func everyProperty(tb testing.TB, change func(*Published, *newapi.BasicProperties)) Published {
	tb.Helper()
	m := Published{Connection: 1, Channel: 1, Exchange: "events", RoutingKey: "order.placed", Mandatory: true, Body: []byte("twelve lamps")}
	p := newapi.BasicProperties{
		ContentType: "text/plain", ContentEncoding: "utf-8",
		Headers: newapi.Table{
			"attempt": int32(1),
			"list":    []any{int64(7), newapi.Table{"x": true, "y": "z"}},
			"nested":  newapi.Table{"a": newapi.Table{"b": uint8(3), "c": nil}},
		},
		DeliveryMode: 2, Priority: 3,
		CorrelationId: "c", ReplyTo: "r", Expiration: "60000", MessageId: "m",
		Timestamp: time.Unix(1714640400, 0),
		Type:      "placed", UserId: "guest", AppId: "shop", ClusterId: "cluster",
	}
	if change != nil {
		change(&m, &p)
	}
	m.Properties = encode(tb, p)
	return m
}

func TestDiffNamesThePartThatDiffers(t *testing.T) {
	type props = newapi.BasicProperties
	tests := []struct {
		want   string
		change func(*Published, *props)
	}{
		{`exchange: want "events", got "audit"`, func(m *Published, _ *props) { m.Exchange = "audit" }},
		{`routing key: want "order.placed", got ""`, func(m *Published, _ *props) { m.RoutingKey = "" }},
		{`mandatory: want true, got false`, func(m *Published, _ *props) { m.Mandatory = false }},
		{`immediate: want false, got true`, func(m *Published, _ *props) { m.Immediate = true }},

		{`content type: want "text/plain", got "text/html"`, func(_ *Published, p *props) { p.ContentType = "text/html" }},
		{`content encoding: want "utf-8", got none`, func(_ *Published, p *props) { p.ContentEncoding = "" }},
		{`delivery mode: want 2, got 1`, func(_ *Published, p *props) { p.DeliveryMode = 1 }},
		{`priority: want 3, got 4`, func(_ *Published, p *props) { p.Priority = 4 }},
		{`priority: want 3, got none`, func(_ *Published, p *props) { p.Priority = 0 }},
		{`priority: want 3, got 0`, func(_ *Published, p *props) { p.Priority, p.SendZero = 0, newapi.PropertyPriority }},
		{`correlation id: want "c", got "d"`, func(_ *Published, p *props) { p.CorrelationId = "d" }},
		{`reply to: want "r", got "s"`, func(_ *Published, p *props) { p.ReplyTo = "s" }},
		{`expiration: want "60000", got "60001"`, func(_ *Published, p *props) { p.Expiration = "60001" }},
		{`message id: want "m", got "n"`, func(_ *Published, p *props) { p.MessageId = "n" }},
		{`timestamp: want 1714640400 (2024-05-02T09:00:00Z), got 1714640401 (2024-05-02T09:00:01Z)`,
			func(_ *Published, p *props) { p.Timestamp = p.Timestamp.Add(time.Second) }},
		{`type: want "placed", got "paid"`, func(_ *Published, p *props) { p.Type = "paid" }},
		{`user id: want "guest", got none`, func(_ *Published, p *props) { p.UserId = "" }},
		{`app id: want "shop", got "store"`, func(_ *Published, p *props) { p.AppId = "store" }},
		{`cluster id: want "cluster", got none`, func(_ *Published, p *props) { p.ClusterId = "" }},

		{`headers: want 'F' map[attempt:1 list:[7 map[x:true y:z]] nested:map[a:map[b:3 c:<nil>]]], got none`,
			func(_ *Published, p *props) { p.Headers = nil }},
		{`header attempt: want 'I' 1, got 'I' 2`, func(_ *Published, p *props) { p.Headers["attempt"] = int32(2) }},
		{`header attempt: want 'I' 1, got 'l' 1`, func(_ *Published, p *props) { p.Headers["attempt"] = int64(1) }},
		{`header attempt: want 'I' 1, got none`, func(_ *Published, p *props) { delete(p.Headers, "attempt") }},
		{`header zone: want none, got 'S' "north"`, func(_ *Published, p *props) { p.Headers["zone"] = "north" }},
		{`header nested.a.b: want 'B' 3, got 'b' 3`, func(_ *Published, p *props) {
			p.Headers["nested"] = newapi.Table{"a": newapi.Table{"b": int8(3), "c": nil}}
		}},
		{`header nested.a.c: want 'V' <nil>, got 't' false`, func(_ *Published, p *props) {
			p.Headers["nested"] = newapi.Table{"a": newapi.Table{"b": uint8(3), "c": false}}
		}},
		{`header list[1].y: want 'S' "z", got 'x' "z"`, func(_ *Published, p *props) {
			p.Headers["list"] = []any{int64(7), newapi.Table{"x": true, "y": []byte("z")}}
		}},
		{`header list: want 'A' [7 map[x:true y:z]], got 'A' [7]`, func(_ *Published, p *props) {
			p.Headers["list"] = []any{int64(7)}
		}},

		{`body: want "twelve lamps" (octet 7 of 12), got "twelve Lamps" (octet 7 of 12)`,
			func(m *Published, _ *props) { m.Body = []byte("twelve Lamps") }},
		{`body: want "twelve lamps" (octet 6 of 12), got "twelve" (octet 6 of 6)`,
			func(m *Published, _ *props) { m.Body = m.Body[:6] }},
		{`body: want "twelve lamps" (octet 0 of 12), got "` + strings.Repeat("x", 24) + `"… (octet 0 of 99)`,
			func(m *Published, _ *props) { m.Body = []byte(strings.Repeat("x", 99)) }},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			want := []Published{everyProperty(t, nil)}
			got := []Published{everyProperty(t, tt.change)}
			diffs := Diff(want, got)
			if len(diffs) != 1 {
				t.Fatalf("%d differences, want 1: %v", len(diffs), diffs)
			}
			d := diffs[0]
			if d.What != tt.want {
				t.Errorf("What:\ngot  %s\nwant %s", d.What, tt.want)
			}
			if d.Want != &want[0] || d.Got != &got[0] {
				t.Errorf("the difference does not point at the two messages")
			}
			if Equal(want, got) {
				t.Error("Equal = true for recordings that differ")
			}
		})
	}
}

func TestDiffShowsWhatIsAroundADifferenceInABody(t *testing.T) {
	want := recording(t, "1.1:"+strings.Repeat("a", 40)+"b"+strings.Repeat("c", 40))
	got := recording(t, "1.1:"+strings.Repeat("a", 40)+"B"+strings.Repeat("c", 40))
	a, c := strings.Repeat("a", 24), strings.Repeat("c", 23)
	what := fmt.Sprintf(`body: want …"%sb%s"… (octet 40 of 81), got …"%sB%s"… (octet 40 of 81)`, a, c, a, c)
	if diffs := Diff(want, got); len(diffs) != 1 || diffs[0].What != what {
		t.Errorf("got  %v\nwant %s", diffs, what)
	}
}

func TestDiffReportsEveryPartOfAMessage(t *testing.T) {
	want := []Published{everyProperty(t, nil)}
	got := []Published{everyProperty(t, func(m *Published, p *newapi.BasicProperties) {
		m.RoutingKey, p.Priority, m.Body = "order.paid", 9, nil
	})}
	diffs := Diff(want, got)
	if len(diffs) != 3 {
		t.Errorf("%d differences, want 3: %v", len(diffs), diffs)
	}
	const line = `connection 1, channel 1, message 0 (exchange "events", key "order.placed", type "placed", id "m"): priority: want 3, got 9`
	if s := fmt.Sprint(diffs); !strings.Contains(s, line) {
		t.Errorf("got  %s\nwant %s among them", s, line)
	}
}

func TestDiffIgnoresTheOrderOfTableFields(t *testing.T) {
	// Headers with the fields a (true), b (table of c, d), in both orders at
	// both levels.
	const (
		c    = "\x01cB\x01"
		d    = "\x01dB\x02"
		a    = "\x01at\x01"
		flag = "\x20\x00"
	)
	one := raw(t, flag+"\x00\x00\x00\x13"+a+"\x01bF\x00\x00\x00\x08"+c+d)
	two := raw(t, flag+"\x00\x00\x00\x13"+"\x01bF\x00\x00\x00\x08"+d+c+a)
	if diffs := Diff(one, two); diffs != nil {
		t.Errorf("got %v, want no difference", diffs)
	}
}

func TestDiffSeesTheOrderOfDuplicateFields(t *testing.T) {
	const flag = "\x20\x00"
	one := raw(t, flag+"\x00\x00\x00\x08"+"\x01cB\x01"+"\x01cB\x02")
	two := raw(t, flag+"\x00\x00\x00\x08"+"\x01cB\x02"+"\x01cB\x01")
	if diffs := Diff(one, two); len(diffs) != 2 {
		t.Errorf("got %v, want two differences: the last of the duplicates is the value", diffs)
	}
}

func TestDiffTellsEmptyHeadersFromNone(t *testing.T) {
	diffs := Diff(raw(t, "\x00\x00"), raw(t, "\x20\x00\x00\x00\x00\x00"))
	if len(diffs) != 1 || diffs[0].What != "headers: want none, got 'F' map[]" {
		t.Errorf("got %v, want one difference in the headers", diffs)
	}
}

// recording makes a recording of messages "connection.channel:body".
func recording(tb testing.TB, messages ...string) []Published {
	var recorded []Published
	for _, m := range messages {
		var p Published
		if _, err := fmt.Sscanf(m, "%d.%d:%s", &p.Connection, &p.Channel, &p.Body); err != nil {
			tb.Fatalf("message %q: %v", m, err)
		}
		p.Properties = encode(tb, newapi.BasicProperties{})
		recorded = append(recorded, p)
	}
	return recorded
}

func TestDiffPairsMessagesInOrderPerChannel(t *testing.T) {
	tests := []struct {
		name      string
		want, got string
		diffs     []string // "connection.channel index what"
	}{
		{"both empty", "", "", nil},
		{"the same", "1.1:a 1.1:b 1.2:c", "1.1:a 1.1:b 1.2:c", nil},
		{"channels mixed in another way", "1.1:a 1.1:b 1.2:c", "1.2:c 1.1:a 1.1:b", nil},
		{"order within a channel", "1.1:a 1.1:b", "1.1:b 1.1:a", []string{"1.1 0 body", "1.1 1 body"}},
		{"on another channel", "1.1:a 1.1:b", "1.1:a 1.2:b", []string{"1.1 1 missing", "1.2 0 unexpected"}},
		{"on another connection", "1.1:a 1.1:b", "1.1:a 2.1:b", []string{"1.1 1 missing", "2.1 0 unexpected"}},
		{"one lost in the middle", "1.1:a 1.1:b 1.1:c 1.1:d", "1.1:a 1.1:c 1.1:d", []string{"1.1 1 missing"}},
		{"the last lost", "1.1:a 1.1:b", "1.1:a", []string{"1.1 1 missing"}},
		{"all lost", "1.1:a 1.1:b", "", []string{"1.1 0 missing", "1.1 1 missing"}},
		{"one too many at the start", "1.1:b 1.1:c", "1.1:a 1.1:b 1.1:c", []string{"1.1 0 unexpected"}},
		{"one sent twice", "1.1:a 1.1:b", "1.1:a 1.1:b 1.1:b", []string{"1.1 2 unexpected"}},
		{"nothing wanted", "", "1.3:a", []string{"1.3 0 unexpected"}},
		{"one changed, one lost", "1.1:a 1.1:b 1.1:c 1.1:d 1.1:e", "1.1:a 1.1:x 1.1:c 1.1:e", []string{"1.1 1 body", "1.1 3 missing"}},
		{"one changed between equals", "1.1:a 1.1:a 1.1:a", "1.1:x 1.1:a 1.1:a", []string{"1.1 0 body"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := recording(t, strings.Fields(tt.want)...)
			got := recording(t, strings.Fields(tt.got)...)
			var diffs []string
			for _, d := range Diff(want, got) {
				what, _, _ := strings.Cut(d.What, ":")
				diffs = append(diffs, fmt.Sprintf("%d.%d %d %s", d.Connection, d.Channel, d.Index, what))
				if (d.Want == nil) != (what == "unexpected") || (d.Got == nil) != (what == "missing") {
					t.Errorf("%s: want present %v, got present %v", d, d.Want != nil, d.Got != nil)
				}
			}
			if fmt.Sprint(diffs) != fmt.Sprint(tt.diffs) {
				t.Errorf("got  %v\nwant %v", diffs, tt.diffs)
			}
			if Equal(want, got) != (len(tt.diffs) == 0) {
				t.Errorf("Equal = %v with differences %v", Equal(want, got), tt.diffs)
			}
		})
	}
}

func TestDifferenceWithoutAPartnerNamesItsMessage(t *testing.T) {
	m := []Published{everyProperty(t, nil)}
	const name = `connection 1, channel 1, message 0 (exchange "events", key "order.placed", type "placed", id "m"): `
	if got, want := fmt.Sprint(Diff(m, nil)), "["+name+"missing]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := fmt.Sprint(Diff(nil, m)), "["+name+"unexpected]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func ExampleDiff() {
	// In a test these are what NewServer(t).Published() returns, after the
	// program ran as it was and as it is now.
	recorded := func(p newapi.BasicProperties) []Published {
		properties, err := newapi.ReadOnly(p)
		if err != nil {
			panic(err)
		}
		return []Published{{Connection: 1, Channel: 1, RoutingKey: "orders", Properties: properties}}
	}
	before := recorded(newapi.BasicProperties{Type: "placed", Priority: 3, Headers: newapi.Table{"attempt": 1}})
	after := recorded(newapi.BasicProperties{Type: "placed", Priority: 4, Headers: newapi.Table{"attempt": int64(1)}})
	for _, d := range Diff(before, after) {
		fmt.Println(d)
	}
	// Output:
	// connection 1, channel 1, message 0 (exchange "", key "orders", type "placed"): header attempt: want 'I' 1, got 'l' 1
	// connection 1, channel 1, message 0 (exchange "", key "orders", type "placed"): priority: want 3, got 4
}

// Every type of header value survives being taken apart and shown.
func TestDiffKnowsEveryFieldType(t *testing.T) {
	values := []string{
		"t\x01", "b\x01", "B\x01", "s\x00\x01", "u\x00\x01", "U\x00\x01", "I\x00\x00\x00\x01", "i\x00\x00\x00\x01",
		"l\x00\x00\x00\x00\x00\x00\x00\x01", "L\x00\x00\x00\x00\x00\x00\x00\x01", "f\x3f\x80\x00\x00",
		"d\x3f\xf0\x00\x00\x00\x00\x00\x00", "D\x01\x00\x00\x00\x01", "S\x00\x00\x00\x01a", "x\x00\x00\x00\x01a",
		"T\x00\x00\x00\x00\x00\x00\x00\x01", "V", "A\x00\x00\x00\x02t\x01", "F\x00\x00\x00\x04\x01ct\x01",
	}
	for _, v := range values {
		fields := octets("\x01k"+v) + "\x04last" + "t\x01"
		with := raw(t, "\x20\x00\x00\x00\x00"+octets(rune(len(fields)))+fields)
		without := raw(t, "\x20\x00\x00\x00\x00\x07\x04lastt\x01")
		diffs := Diff(with, without)
		prefix := fmt.Sprintf("header k: want %q ", v[0])
		if len(diffs) != 1 || !strings.HasPrefix(diffs[0].What, prefix) || !strings.HasSuffix(diffs[0].What, ", got none") {
			t.Errorf("tag %c: got %v, want one difference %s…, got none", v[0], diffs, prefix)
		}
	}
}
