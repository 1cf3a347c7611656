package newapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// What crosses Connection.Close on the wire is no fault of the connection.
func TestAnswersThatCrossClose(t *testing.T) {
	for _, test := range []struct {
		name  string
		cross func(*peer, *Connection)
	}{
		{"the answer of another call", func(p *peer, _ *Connection) { p.write(0, &wire.ConnectionUpdateSecretOk{}) }},
		{"a call made meanwhile", func(_ *peer, c *Connection) {
			if err := c.UpdateSecret("s", "r"); err != ErrClosed {
				t.Errorf("UpdateSecret: %v", err)
			}
		}},
		{"channel.close of an unknown channel", func(p *peer, _ *Connection) { p.write(5, &wire.ChannelClose{ReplyCode: NotFound}) }},
		{"connection.blocked", func(p *peer, _ *Connection) { p.write(0, &wire.ConnectionBlocked{}) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			closed := conn.NotifyClose(make(chan *Error, 1))
			result := make(chan error, 1)
			go func() { result <- conn.Close() }()
			method[*wire.ConnectionClose](p)
			test.cross(p, conn)
			p.write(0, &wire.ConnectionCloseOk{})
			if err, _ := next(t, "Close", result); err != nil {
				t.Errorf("Close: %v", err)
			}
			if e, _ := next(t, "NotifyClose", closed); e != nil {
				t.Errorf("NotifyClose after a graceful close: %v", e)
			}
		})
	}
}

// Both sides close a channel at once, this side because of what it received.
func TestLocalFailureDuringChannelClose(t *testing.T) {
	for name, config := range map[string]Config{
		"overrun":   {ConsumerBufferBytes: 1000},
		"too large": {MaxMessageSize: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			conn, p := newPeer(t, config)
			ch := p.channel(conn)
			p.consume(ch)
			result := make(chan error, 1)
			go func() { result <- ch.Close() }()
			method[*wire.ChannelClose](p)
			for tag := uint64(1); tag <= 5; tag++ { // under way when the peer read it
				p.deliver(tag, []byte{0, 0}, make([]byte, 2000))
			}
			next(t, "Close", result)
			p.write(1, &wire.ChannelCloseOk{})
			if other := p.channelWithID(conn, 2); other.IsClosed() {
				t.Error("the connection did not survive")
			}
		})
	}
}

func TestRepeatedConnectionCloseCostsNothing(t *testing.T) {
	conn, p := newPeer(t, Config{PublishTimeout: -1})
	ended := p.stall(p.channel(conn))
	b, err := wire.AppendMethod(nil, 0, &wire.ConnectionClose{ReplyCode: ConnectionForced})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	p.writeRaw(bytes.Repeat(b, 20000))
	if n := runtime.NumGoroutine(); n > before+100 {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	next(t, "the stalled publisher", ended)
}

// shortWriter takes half of each write and says nothing about it.
type shortWriter struct{ io.ReadWriteCloser }

func (s shortWriter) Write(b []byte) (int, error) {
	n, err := s.ReadWriteCloser.Write(b[:(len(b)+1)/2])
	return n, err
}

func TestShortWriteIsAnError(t *testing.T) {
	for _, size := range []int{100, largeBody} {
		ch := openSink(t, Config{})
		ch.conn.writer.mu.Lock()
		ch.conn.writer.conn = shortWriter{ch.conn.conn}
		ch.conn.writer.mu.Unlock()
		if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, make([]byte, size)); err == nil {
			t.Errorf("body of %d octets: half of the message was written, and publish returned nil", size)
		}
		if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, nil); err == nil {
			t.Errorf("body of %d octets: the connection goes on with a corrupt stream", size)
		}
	}
}

func TestFlushLeavesNothingBehind(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	ended := p.stall(ch)
	for i := 0; i < 200; i++ {
		ctx, cancel := context.WithTimeout(bg, 10*time.Microsecond)
		if err := ch.Flush(ctx); err == nil {
			t.Error("flushed on a stalled connection")
		}
		cancel()
	}
	conn.writer.mu.Lock()
	left := len(conn.writer.sharing)
	conn.writer.mu.Unlock()
	if left > 0 {
		t.Errorf("%d waiters stay behind", left)
	}
	conn.end(nil)
	next(t, "the stalled publisher", ended)
}

func TestMethodLargerThanAFrameIsRefused(t *testing.T) {
	conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: 4096})
	ch := p.channel(conn)
	large := Table{"k": string(make([]byte, 5000))}
	for name, call := range map[string]func() error{
		"QueueDeclare": func() error {
			_, err := ch.QueueDeclare("q", false, false, false, false, large)
			return err
		},
		"QueueDeclare without waiting": func() error {
			_, err := ch.QueueDeclare("q", false, false, false, true, large)
			return err
		},
		"Consume": func() error {
			_, err := ch.Consume("q", "c", false, false, false, false, large)
			return err
		},
		"UpdateSecret":                    func() error { return conn.UpdateSecret(string(make([]byte, 4080)), "") },
		"UpdateSecret with a long reason": func() error { return conn.UpdateSecret("s", string(make([]byte, 256))) },
	} {
		if err := call(); err == nil || errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.quiet()
	if ch.IsClosed() || conn.IsClosed() {
		t.Error("the channel or connection is closed")
	}
	updated := make(chan error, 1)
	go func() { updated <- conn.UpdateSecret(string(make([]byte, 4079)), "") }() // 17 octets around it
	method[*wire.ConnectionUpdateSecret](p)
	p.write(0, &wire.ConnectionUpdateSecretOk{})
	if err, _ := next(t, "UpdateSecret", updated); err != nil {
		t.Errorf("UpdateSecret in the largest frame: %v", err)
	}
}

// The limit is for all consumers of a channel together, and what has been received
// does not count, whichever way it went.
func TestUnreadAcrossConsumersAndBacklogs(t *testing.T) {
	const limit = 1 << 20
	t.Run("many consumers", func(t *testing.T) {
		conn, p := newPeer(t, Config{ConsumerBufferBytes: limit})
		ch := p.channel(conn)
		closed := ch.NotifyClose(make(chan *Error, 1))
		for i := 0; i < 20; i++ {
			if _, err := ch.Consume("q", string(rune('a'+i)), false, false, false, true, nil); err != nil {
				t.Fatal(err)
			}
			method[*wire.BasicConsume](p)
		}
		for i := 0; i < 20; i++ {
			b, err := wire.AppendMethod(nil, 1, &wire.BasicDeliver{ConsumerTag: string(rune('a' + i)), DeliveryTag: 1})
			if err != nil {
				t.Fatal(err)
			}
			b = wire.AppendContentHeader(b, 1, 100<<10, []byte{0, 0})
			p.writeRaw(wire.AppendBody(b, 1, make([]byte, 100<<10), 131072))
		}
		if e, _ := next(t, "NotifyClose", closed); e != ErrConsumerOverrun {
			t.Errorf("NotifyClose: %v", e)
		}
	})
	t.Run("received through the backlog", func(t *testing.T) {
		conn, p := newPeer(t, Config{ConsumerBufferBytes: limit})
		ch := p.channel(conn)
		deliveries := p.consume(ch)
		tag := uint64(0)
		send := func(n, size int) {
			for i := 0; i < n; i++ {
				tag++
				p.deliver(tag, []byte{0, 0}, make([]byte, size))
			}
		}
		send(9, 100<<10)
		send(219, 1) // the last hundred go through the backlog
		for i := 0; i < 9; i++ {
			next(t, "a large delivery", deliveries)
		}
		send(3, 100<<10) // with 219 small ones unread, far below the limit
		for i := 0; i < 222; i++ {
			if _, open := next(t, "delivery", deliveries); !open {
				t.Fatalf("the channel ended after %d: %v", i, ch.reason.Load())
			}
		}
	})
}

// An ack of everything so far, on a channel that has published nothing, is about
// nothing.
func TestAckOfNothing(t *testing.T) {
	for _, m := range []wire.Method{
		&wire.BasicAck{Multiple: true}, &wire.BasicNack{Multiple: true},
		&wire.BasicAck{DeliveryTag: 1}, &wire.BasicNack{DeliveryTag: 1, Multiple: true},
	} {
		conn, p := newPeer(t, Config{})
		ch := p.channel(conn)
		blocked := conn.NotifyBlocked(make(chan Blocking, 1))
		p.write(1, m)
		p.write(0, &wire.ConnectionBlocked{})
		if _, alive := next(t, "NotifyBlocked", blocked); !alive || ch.IsClosed() {
			t.Errorf("%+v ended the connection", m)
		}
	}
}

func TestEndedConsumersDoNotCountAsUnread(t *testing.T) {
	conn, p := newPeer(t, Config{ConsumerBufferBytes: 1 << 20})
	ch := p.channel(conn)
	for i := 0; i < 20; i++ {
		deliveries := p.consume(ch)
		for tag := uint64(1); tag <= 20; tag++ {
			p.deliver(tag, []byte{0, 0}, make([]byte, 4<<10))
			if _, open := next(t, "delivery", deliveries); !open {
				t.Fatalf("round %d: %v", i, ch.reason.Load())
			}
		}
		if err := ch.Cancel("tag", true); err != nil {
			t.Fatal(err)
		}
		method[*wire.BasicCancel](p)
	}
	if n := ch.unread.Load(); n != 0 {
		t.Errorf("%d octets count without a consumer", n)
	}
}

func TestFailureDuringCloseFreesTheID(t *testing.T) {
	conn, p := newPeer(t, Config{ChannelMax: 1, ConsumerBufferBytes: 1000})
	ch := p.channel(conn)
	p.consume(ch)
	closed := make(chan error, 1)
	go func() { closed <- ch.Close() }()
	method[*wire.ChannelClose](p)
	for tag := uint64(1); tag <= 2; tag++ {
		p.deliver(tag, []byte{0, 0}, make([]byte, 2000))
	}
	next(t, "Close", closed)
	p.write(1, &wire.ChannelCloseOk{})
	for { // the answer is read in its own time
		conn.mu.Lock()
		n := len(conn.channels)
		conn.mu.Unlock()
		if n == 0 {
			break
		}
		runtime.Gosched()
	}
	p.channelWithID(conn, 1)
}

// A context that ends late, behind another call, must not end the next consumer
// of the same tag.
func TestLateContextSparesTheNextConsumer(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	first, err := ch.ConsumeWithContext(ctx, "q", "tag", false, false, false, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	method[*wire.BasicConsume](p)
	declared := make(chan error, 1)
	go func() { _, err := ch.QueueDeclare("q", false, false, false, false, nil); declared <- err }()
	method[*wire.QueueDeclare](p) // holds the turn
	cancel()
	p.write(1, &wire.BasicCancel{ConsumerTag: "tag", NoWait: true})
	if _, open := next(t, "the first consumer", first); open {
		t.Fatal("a delivery from nowhere")
	}
	second := p.consume(ch)
	p.write(1, &wire.QueueDeclareOk{Queue: "q"})
	next(t, "QueueDeclare", declared)
	p.quiet()
	p.deliver(1, []byte{0, 0}, nil)
	if _, open := next(t, "the second consumer", second); !open {
		t.Error("the second consumer ended")
	}
}

// Cancel is about the consumer that has the tag when it is called, which may end
// for another reason before the request is sent or answered.
func TestCancelSparesTheNextConsumer(t *testing.T) {
	for _, test := range []struct {
		name   string
		sent   bool // before the first consumer ends
		noWait bool
	}{
		{"before it is sent", false, false},
		{"before it is sent, without an answer", false, true},
		{"while it is under way", true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			first := p.consume(ch)
			cancelled := make(chan error, 1)
			found := ch.consumer([]byte("tag"))
			if test.sent {
				go func() { cancelled <- ch.cancel("tag", found, test.noWait) }()
				method[*wire.BasicCancel](p)
			}
			p.write(1, &wire.BasicCancel{ConsumerTag: "tag", NoWait: true})
			ended(t, "the first consumer", first)
			second := p.consume(ch)
			if test.sent {
				p.write(1, &wire.BasicCancelOk{ConsumerTag: "tag"})
			} else {
				go func() { cancelled <- ch.cancel("tag", found, test.noWait) }()
			}
			if err, _ := next(t, "Cancel", cancelled); err != nil {
				t.Errorf("Cancel: %v", err)
			}
			p.deliver(1, []byte{0, 0}, nil)
			if _, open := next(t, "the second consumer", second); !open {
				t.Error("the second consumer was ended")
			}
			p.quiet()
		})
	}
}

func TestCancelOfAnUnknownTag(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	cancelled := make(chan error, 1)
	go func() { cancelled <- ch.Cancel("nobody", false) }()
	if m := method[*wire.BasicCancel](p); m.ConsumerTag != "nobody" {
		t.Errorf("cancelled %q", m.ConsumerTag)
	}
	p.write(1, &wire.BasicCancelOk{ConsumerTag: "nobody"})
	if err, _ := next(t, "Cancel", cancelled); err != nil {
		t.Errorf("Cancel: %v", err)
	}
}
