package newapi

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

var full = BasicProperties{
	ContentType: "text/plain", ContentEncoding: "gzip", Headers: Table{"a": "b", "n": int32(1)},
	DeliveryMode: Persistent, Priority: 9, CorrelationId: "corr", ReplyTo: "reply", Expiration: "1000",
	MessageId: "id", Timestamp: time.Unix(1700000000, 0).UTC(), Type: "type", UserId: "guest", AppId: "app", ClusterId: "cluster",
}

// Each case of TestDeliveries is a row of properties that arrive through the
// frame reader, with the body cut as told.
func TestDeliveries(t *testing.T) {
	emptyHeaders := []byte{0x20, 0, 0, 0, 0, 0}
	for _, test := range []struct {
		name    string
		header  []byte
		body    string
		pieces  []int
		present PropertySet
		check   func(*testing.T, Delivery)
	}{
		{"every property and a body of one octet", encode(t, full), "x", nil, full.Present(), func(t *testing.T, d Delivery) {
			s := d.Struct()
			if d.ContentType() != "text/plain" || d.Priority() != 9 || !s.Timestamp.Equal(full.Timestamp) ||
				s.Headers["a"] != "b" || s.Headers["n"] != int32(1) || d.ClusterId() != "cluster" {
				t.Errorf("received %v", s)
			}
		}},
		{"only a message id", encode(t, BasicProperties{MessageId: "id"}), "x", nil, PropertyMessageId, func(t *testing.T, d Delivery) {
			if d.MessageId() != "id" || d.ContentType() != "" || d.Headers() != nil {
				t.Errorf("received %v", d.ReadOnlyBasicProperties)
			}
		}},
		{"no property at all", []byte{0, 0}, "x", nil, 0, func(t *testing.T, d Delivery) {
			if d.Headers() != nil {
				t.Error("headers are not nil")
			}
		}},
		{"headers present with an empty table", emptyHeaders, "x", nil, PropertyHeaders, func(t *testing.T, d Delivery) {
			if h := d.Headers(); h == nil || len(h) != 0 {
				t.Errorf("headers %v, want an empty table", h)
			}
			if got := encode(t, d.ReadOnlyBasicProperties); !bytes.Equal(got, emptyHeaders) {
				t.Errorf("forwarded as % x", got)
			}
		}},
		{"an empty body", encode(t, full), "", nil, full.Present(), nil},
		{"a body in three pieces", encode(t, full), "abcdef", []int{1, 2}, full.Present(), nil},
		{"a body with an empty piece in it", []byte{0, 0}, "abcdef", []int{3, 0}, 0, nil},
		{"an empty body in a frame of its own", encode(t, full), "", []int{0}, full.Present(), nil},
		{"a body with an empty piece after it", []byte{0, 0}, "abc", []int{3, 0}, 0, nil},
		{"a body larger than the read buffer", encode(t, full), strings.Repeat("0123456789", 20000), []int{100000}, full.Present(), nil},
		{"timestamp zero", []byte{0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0}, "", nil, PropertyTimestamp, func(t *testing.T, d Delivery) {
			if got := d.Timestamp(); !got.Equal(time.Unix(0, 0)) || got.Location() != time.UTC {
				t.Errorf("timestamp %v", got)
			}
		}},
		{"the largest timestamp", []byte{0, 0x40, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "", nil, PropertyTimestamp, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			deliveries := p.consume(p.channel(conn))
			p.deliver(1, test.header, []byte(test.body), test.pieces...)
			p.deliver(2, []byte{0, 0}, []byte("next")) // must not disturb the first
			d, _ := next(t, "delivery", deliveries)
			second, _ := next(t, "next delivery", deliveries)
			if d.Present() != test.present || string(d.Body) != test.body {
				t.Errorf("present %v, want %v; body of %d octets, want %d", d.Present(), test.present, len(d.Body), len(test.body))
			}
			if d.Exchange != "ex" || d.RoutingKey != "key" || d.DeliveryTag != 1 || d.ConsumerTag != "tag" {
				t.Errorf("routing %q %q, tag %d, consumer %q", d.Exchange, d.RoutingKey, d.DeliveryTag, d.ConsumerTag)
			}
			if got := encode(t, d.ReadOnlyBasicProperties); !bytes.Equal(got, test.header) {
				t.Errorf("forwarding changes the header:\ngot  % x\nwant % x", got, test.header)
			}
			if test.check != nil {
				test.check(t, d)
			}
			if string(second.Body) != "next" {
				t.Errorf("the next delivery has body %q", second.Body)
			}
		})
	}
}

func TestDeliveriesKeepTheirMemory(t *testing.T) {
	conn, p := newPeer(t, Config{})
	deliveries := p.consume(p.channel(conn))
	sent := encode(t, full)
	p.deliver(1, sent, nil)
	first, _ := next(t, "first", deliveries)
	for tag := uint64(2); tag < 200; tag++ { // overwrites the read buffer several times
		p.deliver(tag, encode(t, BasicProperties{MessageId: strings.Repeat("#", 255)}), bytes.Repeat([]byte("#"), 4000))
		d, _ := next(t, "later", deliveries)
		copy(d.Body, bytes.Repeat([]byte("!"), len(d.Body)))
		_ = append(d.Body, "!!!!!!!!"...)
	}
	if got := encode(t, first.ReadOnlyBasicProperties); !bytes.Equal(got, sent) || first.MessageId() != "id" || first.Exchange != "ex" {
		t.Errorf("the first delivery changed: %v", first.ReadOnlyBasicProperties)
	}
}

// What a peer that breaks the protocol sends must end the connection, with the
// reply code the specification has for it, and nothing else.
func TestHostileFrames(t *testing.T) {
	deliver, err := wire.AppendMethod(nil, 1, &wire.BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1})
	if err != nil {
		t.Fatal(err)
	}
	frame := func(typ uint8, payload ...byte) []byte { return wire.AppendFrame(nil, typ, 1, payload) }
	contentHeader := func(properties ...byte) []byte {
		return append(deliver[:len(deliver):len(deliver)], wire.AppendContentHeader(nil, 1, 0, properties)...)
	}
	announce := func(n uint64) []byte {
		return append(deliver[:len(deliver):len(deliver)], wire.AppendContentHeader(nil, 1, n, []byte{0, 0})...)
	}
	for _, test := range []struct {
		name string
		raw  []byte
		code int
	}{
		{"frame one octet above the maximum", wire.AppendFrameHeader(nil, wire.FrameBody, 1, 131072-wire.FrameOverhead+1), FrameError},
		{"frame of 4 GiB", []byte{1, 0, 1, 0xff, 0xff, 0xff, 0xff}, FrameError},
		{"wrong frame end", append(wire.AppendFrameHeader(nil, wire.FrameMethod, 1, 4), 0, 60, 0, 60, 0), FrameError},
		{"unknown frame type", []byte{42, 0, 1, 0, 0, 0, 0, wire.FrameEnd}, FrameError},
		{"unknown method", frame(wire.FrameMethod, 0, 60, 0, 99), CommandInvalid},
		{"method cut short", frame(wire.FrameMethod, 0, 60, 0, 60, 3, 'a'), SyntaxError},
		{"method of two octets", frame(wire.FrameMethod, 0, 60), SyntaxError},
		{"table with a length beyond the frame", contentHeader(0x20, 0, 0xff, 0xff, 0xff, 0xff), SyntaxError},
		{"table with a string of 4 GiB", contentHeader(0x20, 0, 0, 0, 0, 7, 1, 'k', 'S', 0xff, 0xff, 0xff, 0xff), SyntaxError},
		{"array cut after a type octet", contentHeader(0x20, 0, 0, 0, 0, 8, 1, 'k', 'A', 0, 0, 0, 1, 'I'), SyntaxError},
		{"unknown field type", contentHeader(0x20, 0, 0, 0, 0, 3, 1, 'k', '?'), SyntaxError},
		{"properties cut in a string", contentHeader(0x80, 0, 9, 'a'), SyntaxError},
		{"continued property flags", contentHeader(0, 1, 0, 0), SyntaxError},
		{"content header without a method", wire.AppendContentHeader(nil, 1, 0, []byte{0, 0}), UnexpectedFrame},
		{"body without a content header", frame(wire.FrameBody, 'x'), UnexpectedFrame},
		{"body longer than announced", append(announce(1), frame(wire.FrameBody, 'x', 'y')...), UnexpectedFrame},
		{"method in the middle of a message", append(announce(2), deliver...), UnexpectedFrame},
		{"content on channel 0", []byte{wire.FrameBody, 0, 0, 0, 0, 0, 0, wire.FrameEnd}, UnexpectedFrame},
		{"delivery on a channel that is not open", wire.AppendFrame(nil, wire.FrameMethod, 7, deliver[wire.FrameHeaderSize:len(deliver)-1]), UnexpectedFrame},
		{"an answer nobody asked for", frame(wire.FrameMethod, 0, 50, 0, 21), CommandInvalid},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			deliveries := p.consume(ch)
			closed := conn.NotifyClose(make(chan *Error, 1))
			p.writeRaw(test.raw)
			if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != test.code || e.Server {
				t.Errorf("got %v, want code %d of our own", e, test.code)
			}
			if m := method[*wire.ConnectionClose](p); int(m.ReplyCode) != test.code {
				t.Errorf("the peer is told %d %q", m.ReplyCode, m.ReplyText)
			}
			for d := range deliveries {
				t.Errorf("delivered %v", d)
			}
		})
	}
}

// A header that announces more than ever comes must not cost its announced size.
func TestAnnouncedSizeIsNotAllocated(t *testing.T) {
	conn, p := newPeer(t, Config{})
	p.consume(p.channel(conn))
	b, err := wire.AppendMethod(nil, 1, &wire.BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.writeRaw(wire.AppendContentHeader(b, 1, 1<<62, []byte{0, 0}))
	p.writeRaw(wire.AppendFrame(nil, wire.FrameBody, 1, []byte("x")))
	p.write(0, &wire.ConnectionBlocked{Reason: "still alive"})
	blocked := conn.NotifyBlocked(make(chan Blocking, 1))
	p.write(0, &wire.ConnectionBlocked{Reason: "still alive"})
	if b, _ := next(t, "NotifyBlocked", blocked); b.Reason != "still alive" {
		t.Errorf("got %v", b)
	}
}

func TestMaxMessageSize(t *testing.T) {
	conn, p := newPeer(t, Config{MaxMessageSize: 10})
	ch := p.channel(conn)
	deliveries := p.consume(ch)
	closed := ch.NotifyClose(make(chan *Error, 1))
	p.deliver(1, []byte{0, 0}, []byte("ten octets"))
	if d, _ := next(t, "delivery", deliveries); string(d.Body) != "ten octets" {
		t.Errorf("body %q", d.Body)
	}
	p.deliver(2, []byte{0, 0}, []byte("eleven octs"))
	if m := method[*wire.ChannelClose](p); m.ReplyCode != ContentTooLarge {
		t.Errorf("the peer is told %d %q", m.ReplyCode, m.ReplyText)
	}
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != ContentTooLarge || !strings.Contains(e.Reason, "11") {
		t.Errorf("NotifyClose: %v", e)
	}
	p.deliver(3, []byte{0, 0}, []byte("late")) // under way when the channel was closed
	p.write(1, &wire.ChannelCloseOk{})
	if _, open := next(t, "deliveries", deliveries); open {
		t.Error("a delivery after the end")
	}
	if other := p.channelWithID(conn, 2); other.IsClosed() {
		t.Error("the connection did not survive")
	}
}

func TestConsumerOverrunEndsOnlyItsChannel(t *testing.T) {
	for _, size := range []int{16, 16 << 10, 120 << 10} {
		size := size // its sender outlives the subtest
		t.Run(fmt.Sprintf("bodies of %d", size), func(t *testing.T) {
			const limit = 1 << 20
			conn, p := newPeer(t, Config{ConsumerBufferBytes: limit})
			ch := p.channel(conn)
			deliveries := p.consume(ch)
			closed := ch.NotifyClose(make(chan *Error, 1))
			go func() {
				for tag := uint64(1); !ch.IsClosed(); tag++ {
					p.deliver(tag, []byte{0, 0}, make([]byte, size))
				}
			}()
			if m := method[*wire.ChannelClose](p); m.ReplyCode != ResourceError {
				t.Errorf("the peer is told %d %q", m.ReplyCode, m.ReplyText)
			}
			if e, _ := next(t, "NotifyClose", closed); e != ErrConsumerOverrun {
				t.Errorf("NotifyClose: %v", e)
			}
			held := 0
			for d := range deliveries { // what is in the chan can be received
				held += len(d.Body)
			}
			if held == 0 || held > 2*limit {
				t.Errorf("%d octets were held, the limit is %d", held, limit)
			}
			if conn.IsClosed() {
				t.Error("the connection is closed")
			}
		})
	}
}

// A consumer that keeps up never overruns, however much passes through.
func TestReadDeliveriesDoNotCountAsUnread(t *testing.T) {
	conn, p := newPeer(t, Config{ConsumerBufferBytes: 64 << 10})
	ch := p.channel(conn)
	deliveries := p.consume(ch)
	for tag := uint64(1); tag <= 2000; tag++ {
		p.deliver(tag, []byte{0, 0}, make([]byte, 4<<10))
		if d, _ := next(t, "delivery", deliveries); d.DeliveryTag != tag {
			t.Fatalf("delivery %d, want %d", d.DeliveryTag, tag)
		}
	}
}

// Listeners that nobody reads hold nothing up.
func TestUnreadListenersHoldNothingUp(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.confirming(conn)
	unread := ch.NotifyPublish(make(chan Confirmation))
	returns := ch.NotifyReturn(make(chan Return))
	blocked := conn.NotifyBlocked(make(chan Blocking))
	for tag := uint64(1); tag <= 1000; tag++ {
		d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil, Mandatory)
		if err != nil {
			t.Fatal(err)
		}
		p.message()
		b, err := wire.AppendMethod(nil, 1, &wire.BasicReturn{ReplyCode: NoRoute, ReplyText: "NO_ROUTE", RoutingKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		p.writeRaw(wire.AppendContentHeader(b, 1, 0, []byte{0, 0}))
		p.write(0, &wire.ConnectionBlocked{})
		p.write(0, &wire.ConnectionUnblocked{})
		p.write(1, &wire.BasicAck{DeliveryTag: tag})
		var returned *ReturnedError
		within(t, "Result", func() { err = d.Result(bg) })
		if !errors.As(err, &returned) {
			t.Fatalf("Result: %v", err)
		}
	}
	for tag := uint64(1); tag <= 1000; tag++ { // all there, in order, once somebody reads
		next(t, "NotifyReturn", returns) // which comes first
		if c, _ := next(t, "NotifyPublish", unread); c.DeliveryTag != tag {
			t.Fatalf("confirmation %v, want tag %d", c, tag)
		}
	}
	for i := 0; i < 2000; i++ {
		if b, _ := next(t, "NotifyBlocked", blocked); b.Active != (i%2 == 0) {
			t.Fatalf("notice %d: %+v", i, b)
		}
	}
}
