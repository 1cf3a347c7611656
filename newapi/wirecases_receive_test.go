package newapi

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// These are rows of TestWireCases about what is received, from a peer that says
// what the row tells it to.

// arrives has a message delivered and returns it.
func arrives(t *testing.T, header, body []byte) Delivery {
	t.Helper()
	conn, p := newPeer(t, Config{})
	deliveries := p.consume(p.channel(conn))
	p.deliver(1, header, body)
	d, open := next(t, "delivery", deliveries)
	if !open {
		t.Fatal("the consumer ended")
	}
	return d
}

func WireEveryProperty(t *testing.T) {
	d := arrives(t, encode(t, everyProperty), []byte("x"))
	if got := d.Struct(); !reflect.DeepEqual(got, everyProperty) || string(d.Body) != "x" {
		t.Errorf("received %+v with body %q", got, d.Body)
	}
	if d.Present() != allProperties {
		t.Errorf("only %v are present", d.Present())
	}
}

func WireOnlyMessageID(t *testing.T) {
	d := arrives(t, encode(t, BasicProperties{MessageId: "id"}), []byte("x"))
	if d.Present() != PropertyMessageId || !reflect.DeepEqual(d.Struct(), BasicProperties{MessageId: "id"}) {
		t.Errorf("received %v with %v", d.ReadOnlyBasicProperties, d.Present())
	}
}

func WireHeadersFlagUnset(t *testing.T) { wireHeadersFlag(t, []byte{0, 0}, false) }

func WireHeadersFlagWithEmptyTable(t *testing.T) {
	wireHeadersFlag(t, []byte{0x20, 0, 0, 0, 0, 0}, true)
}

func wireHeadersFlag(t *testing.T, header []byte, present bool) {
	d := arrives(t, header, []byte("x"))
	h := d.Headers()
	if (h != nil) != present || len(h) != 0 || d.Present().Has(PropertyHeaders) != present {
		t.Errorf("headers %#v, present %v", h, d.Present())
	}
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	for what, properties := range map[string]AMQPHeader{"the delivery": d, "a copy to change": d.Struct()} {
		if forwarded := sentBy(t, p, ch, properties, d.Body); !bytes.Equal(encode(t, forwarded.properties), header) {
			t.Errorf("%s is forwarded with % x, received with % x", what, encode(t, forwarded.properties), header)
		}
	}
}

func WireReceiveEmptyBody(t *testing.T) {
	d := arrives(t, []byte{0, 0}, nil) // no body frame follows
	if len(d.Body) != 0 {
		t.Errorf("a body of %d octets", len(d.Body))
	}
}

func WireTimestampsReceived(t *testing.T) {
	conn, p := newPeer(t, Config{})
	deliveries := p.consume(p.channel(conn))
	for tag, seconds := range []uint64{0, 1, 1700000000, math.MaxInt64, 1 << 63, math.MaxUint64} {
		header := binary.BigEndian.AppendUint64([]byte{0, 0x40}, seconds)
		p.deliver(uint64(tag+1), header, nil)
		d, open := next(t, "delivery", deliveries)
		if !open {
			t.Fatalf("timestamp %d ended the consumer", seconds)
		}
		if got := d.Timestamp(); got.Unix() != int64(seconds) || got.Location() != time.UTC || got.IsZero() {
			t.Errorf("timestamp %d arrives as %v", seconds, got)
		}
	}
}

func WireFieldLengthMinusOne(t *testing.T) {
	wireSyntaxError(t, "\x20\x00\xff\xff\xff\xff")                           // of the table
	wireSyntaxError(t, "\x20\x00\x00\x00\x00\x07\x01kA\xff\xff\xff\xff")     // of an array
	wireSyntaxError(t, "\x20\x00\x00\x00\x00\x07\x01kF\xff\xff\xff\xff")     // of a table in it
	wireSyntaxError(t, "\x20\x00\x00\x00\x00\x08\x01kx\xff\xff\xff\xff\x00") // of octets
}

func WireArrayCutAfterTypeOctet(t *testing.T) {
	wireSyntaxError(t, "\x20\x00\x00\x00\x00\x08\x01kA\x00\x00\x00\x01I")
}

func WireStringOfFourGigabytes(t *testing.T) {
	wireSyntaxError(t, "\x20\x00\x00\x00\x00\x07\x01kS\xff\xff\xff\xff")
}

// wireSyntaxError sends a delivery with these properties, which must end the
// connection for what they are and not cost what they announce.
func wireSyntaxError(t *testing.T, properties string) {
	t.Helper()
	conn, p := newPeer(t, Config{})
	deliveries := p.consume(p.channel(conn))
	closed := conn.NotifyClose(make(chan *Error, 1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.deliver(1, []byte(properties), nil)
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != SyntaxError {
		t.Errorf("% x: %v, want code %d", properties, e, SyntaxError)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("% x: %d octets were allocated", properties, n)
	}
	if n := ended(t, "deliveries", deliveries); n != 0 {
		t.Errorf("% x: delivered", properties)
	}
}

func WireFrameBeyondMaximum(t *testing.T) {
	const frameMax = wire.FrameMinSize
	conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: frameMax})
	deliveries := p.consume(p.channel(conn))
	closed := conn.NotifyClose(make(chan *Error, 1))
	largest := make([]byte, frameMax-wire.FrameOverhead)
	p.deliver(1, []byte{0, 0}, largest)
	if d, _ := next(t, "a frame of the maximum", deliveries); len(d.Body) != len(largest) {
		t.Errorf("a body of %d octets", len(d.Body))
	}
	// Nothing follows the frame's header: it must be enough.
	p.writeRaw(wire.AppendFrameHeader(nil, wire.FrameBody, 1, len(largest)+1))
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != FrameError {
		t.Errorf("NotifyClose: %v, want code %d", e, FrameError)
	}
}

func WireUnreadNotifyChans(t *testing.T) {
	client, server := pipe(t)
	p := &peer{tb: t, conn: server}
	shaken := make(chan error, 1)
	go func() { shaken <- p.handshake(wire.ConnectionTune{ChannelMax: 2047, FrameMax: 131072, Heartbeat: 1}) }()
	conn, err := Open(client, Config{SASL: []Authentication{&PlainAuth{}}})
	if err != nil {
		t.Fatal(err)
	}
	if err, _ := next(t, "the handshake", shaken); err != nil {
		t.Fatal(err)
	}
	ch := p.channel(conn)
	connCloses, blocks := conn.NotifyClose(make(chan *Error)), conn.NotifyBlocked(make(chan Blocking))
	closes, flows, cancels := ch.NotifyClose(make(chan *Error)), ch.NotifyFlow(make(chan bool)), ch.NotifyCancel(make(chan string))
	returns, confirmations := ch.NotifyReturn(make(chan Return)), ch.NotifyPublish(make(chan Confirmation))
	acks, nacks := ch.NotifyConfirm(make(chan uint64), make(chan uint64))
	if err := ch.Confirm(true); err != nil {
		t.Fatal(err)
	}
	var d *DeferredConfirmation
	for tag := uint64(1); tag <= 100; tag++ {
		if d, err = BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil, Mandatory); err != nil {
			t.Fatal(err)
		}
		p.returned(1, nil)
		p.write(1, &wire.BasicAck{DeliveryTag: tag})
		p.write(1, &wire.BasicCancel{ConsumerTag: "tag", NoWait: true})
		p.write(1, &wire.ChannelFlow{Active: true})
		p.write(0, &wire.ConnectionBlocked{})
		p.write(0, &wire.ConnectionUnblocked{})
		p.writeRaw(wire.AppendHeartbeat(nil))
		var returned *ReturnedError
		if within(t, "Result", func() { err = d.Result(bg) }); err != nil && !errors.As(err, &returned) {
			t.Fatalf("confirm %d: %v", tag, err)
		}
	}
	within(t, "Ack", func() {
		if err := ch.Ack(1, false); err != nil {
			t.Error(err)
		}
	})
	for heartbeat := false; !heartbeat; { // in its own time, after all the rest
		heartbeat = p.frame().Type == wire.FrameHeartbeat
	}
	closed := make(chan error, 1)
	go func() { closed <- conn.Close() }()
	for asked := false; !asked; {
		f := p.frame()
		id, _, err := wire.ParseMethodID(f.Payload)
		asked = f.Type == wire.FrameMethod && err == nil && id == wire.IDConnectionClose
	}
	p.write(0, &wire.ConnectionCloseOk{})
	if err, _ := next(t, "Close", closed); err != nil {
		t.Errorf("Close: %v", err)
	}
	// All of it was kept for a reader that comes late.
	for what, n := range map[string]int{
		"returns": ended(t, "returns", returns), "confirmations": ended(t, "confirmations", confirmations),
		"flows": ended(t, "flows", flows), "cancels": ended(t, "cancels", cancels),
		"acks": ended(t, "acks", acks), "blocks": ended(t, "blocks", blocks) / 2,
	} {
		if n != 100 {
			t.Errorf("%d %s, want 100", n, what)
		}
	}
	if n := ended(t, "nacks", nacks) + ended(t, "closes", closes) + ended(t, "the connection's closes", connCloses); n != 0 {
		t.Errorf("%d notices of what did not happen", n)
	}
}
