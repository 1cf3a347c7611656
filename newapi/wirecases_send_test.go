package newapi

import (
	"bytes"
	"context"
	"io"
	"math"
	"net"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// These are rows of TestWireCases about what is sent, seen from the other end of
// the transport.

// sentBy publishes and returns the message as it came out.
func sentBy(t *testing.T, p *peer, ch *Channel, properties AMQPHeader, body []byte) message {
	t.Helper()
	published := make(chan error, 1)
	go func() { published <- BasicPublish(bg, ch, "ex", "key", properties, body) }()
	m := p.message()
	if err, _ := next(t, "publish", published); err != nil {
		t.Fatal(err)
	}
	return m
}

// refusedLocally checks that a publish fails with an error that says so, that nothing of
// it is sent, and that its channel and another one go on.
func refusedLocally(t *testing.T, says string, properties AMQPHeader) {
	t.Helper()
	conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: wire.FrameMinSize})
	ch, other := p.channelWithID(conn, 1), p.channelWithID(conn, 2)
	if err := BasicPublish(bg, ch, "ex", "refused", properties, []byte("x")); err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want an error that says %q", err, says)
	}
	for _, ch := range []*Channel{ch, other} {
		if m := sentBy(t, p, ch, BasicProperties{}, nil); m.publish.RoutingKey != "key" {
			t.Errorf("sent %q", m.publish.RoutingKey)
		}
	}
}

func WirePublishEmptyBody(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	m := sentBy(t, p, ch, BasicProperties{}, nil)
	if m.frames != 2 || len(m.body) != 0 {
		t.Errorf("%d frames, a body of %d octets", m.frames, len(m.body))
	}
	sentBy(t, p, ch, BasicProperties{}, nil) // what comes next is a publish again
}

func WireBodyOfOneFrame(t *testing.T)  { wireBody(t, -wire.FrameOverhead, 1) }
func WireBodyOfTwoFrames(t *testing.T) { wireBody(t, -wire.FrameOverhead+1, 2) }

func wireBody(t *testing.T, beyond, frames int) {
	for _, frameMax := range []int{wire.FrameMinSize, 131072} { // below and above what is copied
		conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: uint32(frameMax)})
		body := bytes.Repeat([]byte("b"), frameMax+beyond)
		m := sentBy(t, p, p.channel(conn), BasicProperties{}, body)
		if m.frames-2 != frames || !bytes.Equal(m.body, body) {
			t.Errorf("frame_max %d: %d body frames with %d octets, want %d with %d", frameMax, m.frames-2, len(m.body), frames, len(body))
		}
	}
}

func WireIntegerHeaders(t *testing.T) {
	large := int64(2419200000)
	type row struct {
		value any
		tag   byte
		want  any
	}
	rows := []row{{3, 'I', int32(3)}, {uint16(3), 'u', uint16(3)}, {uint32(3), 'i', uint32(3)}}
	if strconv.IntSize == 64 {
		rows = append(rows, row{int(large), 'l', large})
	}
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	for _, row := range rows {
		m := sentBy(t, p, ch, BasicProperties{Headers: Table{"h": row.value}}, nil)
		encoded := encode(t, m.properties)
		if tag := encoded[8]; tag != row.tag { // flags, table size, name
			t.Errorf("%T(%v) has tag %q, want %q", row.value, row.value, tag, row.tag)
		}
		if got, _ := m.properties.Header("h"); got != row.want {
			t.Errorf("%T(%v) arrives as %T(%v)", row.value, row.value, got, got)
		}
	}
}

func WireHeadersWithoutAForm(t *testing.T) {
	for path, value := range map[string]any{"uint64": uint64(math.MaxUint64), "chan int": make(chan int), "struct": struct{ A int }{1}} {
		for where, headers := range map[string]Table{
			`"k"`:      {"k": value},
			`"a.b[2]"`: {"a": Table{"b": []any{1, "x", value}}},
		} {
			t.Run(path+" at "+strings.Trim(where, `"`), func(t *testing.T) {
				refusedLocally(t, where, BasicProperties{Headers: headers})
			})
		}
	}
}

func WireSlicesAndMaps(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	for _, row := range []struct {
		value any
		tag   byte
		want  any
	}{
		{[]string{"a", "b"}, 'A', []any{"a", "b"}},
		{map[string]any{"m": map[string]any{"n": true}}, 'F', Table{"m": Table{"n": true}}},
		{named{"k": "v"}, 'F', Table{"k": "v"}},
	} {
		m := sentBy(t, p, ch, BasicProperties{Headers: Table{"h": row.value}}, nil)
		if tag := encode(t, m.properties)[8]; tag != row.tag {
			t.Errorf("%T has tag %q, want %q", row.value, tag, row.tag)
		}
		if got, _ := m.properties.Header("h"); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%T arrives as %#v, want %#v", row.value, got, row.want)
		}
	}
}

func WireCorrelationID255(t *testing.T) {
	conn, p := newPeer(t, Config{})
	id := strings.Repeat("x", 255)
	if m := sentBy(t, p, p.channel(conn), BasicProperties{CorrelationId: id}, nil); m.properties.CorrelationId() != id {
		t.Errorf("arrives as %q", m.properties.CorrelationId())
	}
}

func WireCorrelationID256(t *testing.T) {
	refusedLocally(t, "CorrelationId is 256 bytes", BasicProperties{CorrelationId: strings.Repeat("x", 256)})
}

func WireCorrelationIDOfAccents(t *testing.T) {
	refusedLocally(t, "CorrelationId is 256 bytes", BasicProperties{CorrelationId: strings.Repeat("é", 128)})
}

func WireHeadersBeyondFrameMax(t *testing.T) {
	for name, properties := range map[string]AMQPHeader{
		"a map":            BasicProperties{Headers: Table{"k": strings.Repeat("x", wire.FrameMinSize)}},
		"a typed table":    WithHeaders(BasicProperties{}, Fields{{"k", strings.Repeat("x", wire.FrameMinSize)}}),
		"a custom header":  foreign{BasicProperties{Headers: Table{"k": strings.Repeat("x", wire.FrameMinSize)}}},
		"one octet beyond": BasicProperties{Headers: Table{"k": strings.Repeat("x", wire.FrameMinSize-8-12-2-4-2-5+1)}},
	} {
		t.Run(name, func(t *testing.T) { refusedLocally(t, "frame_max", properties) })
	}
	conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: wire.FrameMinSize})
	fits := strings.Repeat("x", wire.FrameMinSize-8-12-2-4-2-5)
	if m := sentBy(t, p, p.channel(conn), BasicProperties{Headers: Table{"k": fits}}, nil); m.properties.Headers()["k"] != fits {
		t.Error("what just fits does not arrive")
	}
}

func WireMalformedCustomHeader(t *testing.T) {
	refusedLocally(t, "malformed property list", raw(cutShort))
}

func WirePriorityZero(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	for set, properties := range map[bool]BasicProperties{true: {SendZero: PropertyPriority}, false: {}} {
		if m := sentBy(t, p, ch, properties, nil); m.properties.Present().Has(PropertyPriority) != set {
			t.Errorf("SendZero %v: sent with %v", properties.SendZero, m.properties.Present())
		}
	}
}

func WireTimestampsSent(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	for _, row := range []struct {
		name       string
		properties BasicProperties
		present    bool
	}{
		{"time.Unix(0, 0)", BasicProperties{Timestamp: time.Unix(0, 0)}, true},
		{"zero time.Time", BasicProperties{}, false},
		{"zero in SendZero", BasicProperties{SendZero: PropertyTimestamp}, true},
	} {
		got := sentBy(t, p, ch, row.properties, nil).properties
		if got.Present().Has(PropertyTimestamp) != row.present || row.present && got.Timestamp().Unix() != 0 {
			t.Errorf("%s: sent with %v, %v", row.name, got.Present(), got.Timestamp())
		}
	}
}

func WireOneValueEightGoroutines(t *testing.T) {
	const goroutines, each = 8, 50
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	shared := everyProperty
	shared.Headers = Table{"s": "x", "t": Table{"a": []any{int32(1), nil}}}
	want := mustReadOnly(t, shared).Struct()
	var wg sync.WaitGroup
	for g := 0; g < goroutines; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < each; i++ {
				if err := BasicPublish(bg, ch, "ex", "key", shared, []byte("x")); err != nil {
					t.Error(err)
				}
				if err := BasicPublish(bg, ch, "ex", "key", &shared, nil); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for i := 0; i < 2*goroutines*each; i++ {
		if got := p.message().properties.Struct(); !reflect.DeepEqual(got, want) {
			t.Fatalf("message %d has %v, want %v", i, got, want)
		}
	}
	wg.Wait()
	if !reflect.DeepEqual(shared.Headers, Table{"s": "x", "t": Table{"a": []any{int32(1), nil}}}) {
		t.Errorf("the caller's headers are %v now", shared.Headers)
	}
}

// The body is the caller's again when publish returns, so what is on the wire is
// the original or a cut, never a mix.
func WireScribbledLargeBody(t *testing.T) {
	conn, p := newPeer(t, Config{PublishTimeout: 400 * time.Millisecond})
	ch := p.channel(conn)
	for _, err := range []error{p.conn.SetReadBuffer(4096), conn.conn.(*net.TCPConn).SetWriteBuffer(4096)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	body := bytes.Repeat([]byte("o"), 1<<20)
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	published := make(chan error, 1)
	go func() { published <- BasicPublish(ctx, ch, "", "k", BasicProperties{}, body) }()
	p.frame() // it is being written; from here on the peer does not read
	cancel()
	err, _ := next(t, "publish", published)
	copy(body, bytes.Repeat([]byte("x"), len(body)))
	if err == nil {
		t.Error("published to a peer that does not read")
	}
	if err := p.conn.SetReadDeadline(time.Now().Add(testPatience)); err != nil {
		t.Fatal(err)
	}
	all, _ := io.ReadAll(io.MultiReader(bytes.NewReader(p.buf), p.conn)) // it ends with a reset
	if bytes.IndexByte(all, 'x') >= 0 {
		t.Error("the wire shows what the caller wrote after the return")
	}
	if !conn.IsClosed() {
		t.Error("the connection goes on after half a message")
	}
}
