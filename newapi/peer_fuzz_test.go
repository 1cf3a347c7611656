package newapi

import (
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Whatever comes from the peer, the connection ends when the transport does, and
// with it everything that waits on it; what was delivered can be read.
func FuzzPeerInput(f *testing.F) {
	methods := func(ms ...wire.Method) (b []byte) {
		for _, m := range ms {
			var err error
			if b, err = wire.AppendMethod(b, 1, m); err != nil {
				f.Fatal(err)
			}
		}
		return b
	}
	content := func(size uint64, pieces ...string) []byte {
		b := wire.AppendContentHeader(nil, 1, size, encode(f, everyProperty))
		for _, piece := range pieces {
			b = wire.AppendFrame(b, wire.FrameBody, 1, []byte(piece))
		}
		return b
	}
	join := func(parts ...[]byte) (b []byte) {
		for _, part := range parts {
			b = append(b, part...)
		}
		return b
	}
	deliver := methods(&wire.BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1, Exchange: "ex", RoutingKey: "key"})
	for _, seed := range [][]byte{
		join(deliver, content(6, "abc", "", "def"), deliver, content(0)),
		join(deliver, content(1<<62, "abc"), deliver),
		join(deliver, content(2, "abc")),
		join(methods(&wire.BasicGetOk{DeliveryTag: 2, MessageCount: 7}), content(1, "x")),
		join(methods(&wire.BasicReturn{ReplyCode: NoRoute, RoutingKey: "k"}), content(0), methods(&wire.BasicAck{DeliveryTag: 1})),
		methods(&wire.BasicAck{DeliveryTag: 1<<64 - 1, Multiple: true}, &wire.BasicNack{Multiple: true}, &wire.BasicAck{DeliveryTag: 2}),
		methods(&wire.BasicCancel{ConsumerTag: "tag"}, &wire.ChannelFlow{Active: true}),
		methods(&wire.BasicGetEmpty{}, &wire.BasicGetEmpty{}),
		methods(&wire.ChannelClose{ReplyCode: NotFound, ReplyText: "no"}, &wire.ChannelCloseOk{}),
		wire.AppendHeartbeat(nil),
	} {
		f.Add(seed)
	}
	for _, m := range []wire.Method{
		&wire.ConnectionClose{ReplyCode: ConnectionForced}, &wire.ConnectionCloseOk{}, &wire.ConnectionBlocked{Reason: "memory"},
		&wire.ConnectionStart{VersionMinor: 9, ServerProperties: Table{"k": Table{"a": []any{nil}}}}, &wire.ConnectionTune{},
	} {
		b, err := wire.AppendMethod(nil, 0, m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		conn, p := newPeer(t, Config{MaxMessageSize: 1 << 20, ConsumerBufferBytes: 1 << 20})
		ch := p.confirming(conn)
		deliveries := p.consume(ch)
		returns := ch.NotifyReturn(make(chan Return, 1<<10))
		var futures []*DeferredConfirmation
		for i := 0; i < 3; i++ {
			d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil, Mandatory)
			if err != nil {
				t.Fatal(err)
			}
			futures = append(futures, d)
			p.message()
		}
		got := make(chan error, 1)
		go func() {
			_, _, err := ch.Get("q", false)
			got <- err
		}()
		method[*wire.BasicGet](p)
		p.writeRaw(input)
		p.conn.CloseWrite()

		next(t, "Get", got)
		for _, d := range futures {
			next(t, "Done", d.Done())
		}
		for d, open := next(t, "a delivery", deliveries); open; d, open = next(t, "a delivery", deliveries) {
			_ = d.String()
		}
		for r, open := next(t, "a return", returns); open; r, open = next(t, "a return", returns) {
			_ = r.String()
		}
		next(t, "the end of the connection", conn.done)
		if _, err := conn.Channel(); err != ErrClosed {
			t.Errorf("Channel: %v, want ErrClosed", err)
		}
	})
}
