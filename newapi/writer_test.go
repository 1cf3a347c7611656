package newapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func TestPublishFrames(t *testing.T) {
	const frameMax = 4096
	for _, test := range []struct {
		name   string
		size   int
		frames int // with method and content header
	}{
		{"empty body", 0, 2},
		{"one octet", 1, 3},
		{"as much as fits a frame", frameMax - wire.FrameOverhead, 3},
		{"one octet more", frameMax - wire.FrameOverhead + 1, 4},
		{"below the size that is copied", largeBody - 1, 2 + 17},
		{"from the size that is not copied", largeBody, 2 + 17},
		{"large", 1 << 20, 2 + 257},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: frameMax})
			ch := p.channel(conn)
			body := make([]byte, test.size)
			rand.New(rand.NewSource(1)).Read(body)
			published := make(chan error, 1)
			go func() { published <- BasicPublish(bg, ch, "ex", "key", full, body, Mandatory) }()
			m := p.message()
			if err, _ := next(t, "publish", published); err != nil {
				t.Fatal(err)
			}
			if m.frames != test.frames || !bytes.Equal(m.body, body) {
				t.Errorf("%d frames, want %d; body equal: %v", m.frames, test.frames, bytes.Equal(m.body, body))
			}
			if m.publish.Exchange != "ex" || m.publish.RoutingKey != "key" || !m.publish.Mandatory || m.publish.Immediate {
				t.Errorf("published %+v", m.publish)
			}
			if got := encode(t, m.properties); len(got) != len(encode(t, full)) || m.properties.Present() != full.Present() {
				t.Errorf("properties %v", m.properties)
			}
			p.quiet()
		})
	}
}

// What cannot be sent is refused where it is published: no octet leaves, and the
// channel goes on.
func TestRefusedPublishLeavesTheChannelUsable(t *testing.T) {
	conn, p := newPeerTuned(t, Config{}, wire.ConnectionTune{FrameMax: 4096})
	ch := p.channel(conn)
	for _, test := range []struct {
		name    string
		publish func() error
		says    string
	}{
		{"header uint64", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{Headers: Table{"a": Table{"b": []any{1, 2, uint64(math.MaxUint64)}}}}, nil)
		}, "a.b[2]"},
		{"header chan", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{Headers: Table{"c": make(chan int)}}, nil)
		}, "chan int"},
		{"header struct", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{Headers: Table{"s": struct{}{}}}, nil)
		}, "struct"},
		{"correlation id of 256 octets", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{CorrelationId: strings.Repeat("x", 256)}, nil)
		}, "CorrelationId"},
		{"correlation id of 128 × é", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{CorrelationId: strings.Repeat("é", 128)}, nil)
		}, "256"},
		{"headers larger than a frame", func() error {
			return BasicPublish(bg, ch, "", "q", BasicProperties{Headers: Table{"k": strings.Repeat("x", 4096)}}, nil)
		}, "frame_max"},
		{"a custom header that stops in a string", func() error {
			return BasicPublish(bg, ch, "", "q", headerFunc(func(dst []byte) ([]byte, error) {
				return append(dst, 0x80, 0, 9, 'a'), nil
			}), nil)
		}, "content-type"},
		{"a custom header that fails", func() error {
			return BasicPublish(bg, ch, "", "q", headerFunc(func(dst []byte) ([]byte, error) {
				return dst, errors.New("out of paper")
			}), nil)
		}, "out of paper"},
		{"exchange of 256 octets", func() error {
			return BasicPublish(bg, ch, strings.Repeat("x", 256), "q", BasicProperties{}, nil)
		}, "exchange"},
		{"an ended context", func() error {
			ctx, cancel := context.WithCancel(bg)
			cancel()
			return BasicPublish(ctx, ch, "", "q", BasicProperties{}, nil)
		}, "canceled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.publish(); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want an error that says %q", err, test.says)
			}
		})
	}
	p.quiet()
	if err := BasicPublish(bg, ch, "", "q", BasicProperties{CorrelationId: strings.Repeat("x", 255)}, []byte("after")); err != nil {
		t.Fatal(err)
	}
	if m := p.message(); string(m.body) != "after" || len(m.properties.CorrelationId()) != 255 {
		t.Errorf("the next message: %q, %v", m.body, m.properties)
	}
}

// A user's AppendHeader may publish again, block or panic: it holds no lock.
func TestAppendHeaderHoldsNothing(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	inner := headerFunc(func(dst []byte) ([]byte, error) {
		if err := BasicPublish(bg, ch, "", "inner", BasicProperties{}, nil); err != nil {
			return dst, err
		}
		return append(dst, 0, 0), nil
	})
	within(t, "a publish in AppendHeader", func() {
		if err := BasicPublish(bg, ch, "", "outer", inner, nil); err != nil {
			t.Error(err)
		}
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = BasicPublish(bg, ch, "", "panics", headerFunc(func([]byte) ([]byte, error) { panic("user") }), nil)
	}()
	for _, key := range []string{"inner", "outer"} {
		if m := p.message(); m.publish.RoutingKey != key {
			t.Errorf("published %q, want %q", m.publish.RoutingKey, key)
		}
	}
	p.quiet()
}

func WireCancelledBehindAStalledSocket(t *testing.T) {
	for _, test := range []struct {
		name    string
		publish func(ctx context.Context, ch *Channel) error
	}{
		{"small body", func(ctx context.Context, ch *Channel) error {
			return BasicPublish(ctx, ch, "", "waits", BasicProperties{}, []byte("x"))
		}},
		{"large body", func(ctx context.Context, ch *Channel) error {
			return BasicPublish(ctx, ch, "", "waits", BasicProperties{}, make([]byte, 1<<20))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			ended := p.stall(ch)
			ctx, cancel := context.WithCancel(bg)
			defer cancel()
			result := make(chan error, 1)
			go func() { result <- test.publish(ctx, ch) }()
			select {
			case err := <-result:
				t.Fatalf("it did not wait: %v", err)
			case <-time.After(50 * time.Millisecond):
			}
			cancel()
			if err, _ := next(t, "the waiting publish", result); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
			if conn.IsClosed() {
				t.Fatal("the connection is closed")
			}
			// The peer reads again: everything but the cancelled message arrives.
			go func() {
				_ = BasicPublish(bg, ch, "", "last", BasicProperties{}, nil)
				ch.conn.end(nil)
			}()
			for {
				f, err := p.read()
				if err != nil {
					break
				}
				if m, err := wire.ParseMethod(f.Payload); f.Type == wire.FrameMethod && err == nil {
					if publish, ok := m.(*wire.BasicPublish); ok && publish.RoutingKey == "waits" {
						t.Error("the cancelled message was sent")
					}
				}
			}
			next(t, "the stalled publisher", ended)
		})
	}
}

func TestPublishTimeoutWhileBlocked(t *testing.T) {
	conn, p := newPeer(t, Config{PublishTimeout: 200 * time.Millisecond})
	ch := p.channel(conn)
	blocked := conn.NotifyBlocked(make(chan Blocking, 1))
	p.write(0, &wire.ConnectionBlocked{})
	next(t, "NotifyBlocked", blocked)
	for _, size := range []int{1, 1 << 20} {
		if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, make([]byte, size)); err != ErrPublishTimeout {
			t.Errorf("body of %d octets: %v", size, err)
		}
	}
	p.write(0, &wire.ConnectionUnblocked{})
	if err := BasicPublish(bg, ch, "", "after", BasicProperties{}, nil); err != nil {
		t.Fatal(err)
	}
	if m := p.message(); m.publish.RoutingKey != "after" {
		t.Errorf("published %q", m.publish.RoutingKey)
	}
}

func TestWriteWithoutProgressEndsTheConnection(t *testing.T) {
	conn, p := newPeer(t, Config{PublishTimeout: 300 * time.Millisecond})
	closed := conn.NotifyClose(make(chan *Error, 1))
	ch := p.confirming(conn)
	d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := p.stall(ch)
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != ResourceError {
		t.Errorf("NotifyClose: %v", e)
	}
	next(t, "the stalled publisher", ended)
	within(t, "Result", func() {
		if err := d.Result(bg); !errors.Is(err, ErrLost) {
			t.Errorf("Result: %v", err)
		}
	})
}

func TestBlockedConnectionHoldsPublishesOnly(t *testing.T) {
	for _, buffered := range []bool{false, true} {
		t.Run(fmt.Sprintf("buffered=%v", buffered), func(t *testing.T) {
			conn, p := newPeer(t, Config{Buffered: buffered})
			ch := p.channel(conn)
			blocked := conn.NotifyBlocked(make(chan Blocking, 2))
			p.write(0, &wire.ConnectionBlocked{Reason: "low on memory"})
			if b, _ := next(t, "NotifyBlocked", blocked); !b.Active || b.Reason != "low on memory" {
				t.Errorf("got %+v", b)
			}
			result := make(chan error, 2)
			for _, key := range []string{"first", "second"} {
				go func(key string) { result <- BasicPublish(bg, ch, "", key, BasicProperties{}, nil) }(key)
				for waiting := 0; waiting == 0; {
					conn.writer.mu.Lock()
					for _, q := range []*waitQueue{&conn.writer.plain, &conn.writer.admit} {
						if q.last != nil && q.last.message.RoutingKey == key {
							waiting++
						}
					}
					conn.writer.mu.Unlock()
				}
			}
			if err := ch.Ack(7, false); err != nil {
				t.Errorf("Ack: %v", err)
			}
			if m := method[*wire.BasicAck](p); m.DeliveryTag != 7 {
				t.Errorf("acknowledged %d", m.DeliveryTag)
			}
			p.quiet()
			p.write(0, &wire.ConnectionUnblocked{})
			for _, key := range []string{"first", "second"} {
				if m := p.message(); m.publish.RoutingKey != key {
					t.Errorf("published %q, want %q", m.publish.RoutingKey, key)
				}
				if err, _ := next(t, "publish", result); err != nil {
					t.Error(err)
				}
			}
			if b, _ := next(t, "NotifyBlocked", blocked); b.Active {
				t.Errorf("got %+v", b)
			}
		})
	}
}

func TestDisconnectEndsOutstandingConfirms(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.confirming(conn)
	var futures []*DeferredConfirmation
	for i := 0; i < 3; i++ {
		d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		futures = append(futures, d)
		p.message()
	}
	confirmations := ch.NotifyPublish(make(chan Confirmation, 3))
	p.conn.Close()
	for _, d := range futures {
		within(t, "Result", func() {
			if err := d.Result(bg); !errors.Is(err, ErrLost) || d.Acked() || d.Wait() {
				t.Errorf("tag %d: %v, acked %v", d.DeliveryTag, err, d.Acked())
			}
		})
	}
	if c, ok := next(t, "NotifyPublish", confirmations); ok {
		t.Errorf("a confirmation of a lost message: %v", c)
	}
	if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, nil); err != ErrClosed {
		t.Errorf("publish after the end: %v", err)
	}
}

func TestConfirmOrder(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.confirming(conn)
	confirmations := ch.NotifyPublish(make(chan Confirmation, 100))
	var futures []*DeferredConfirmation
	for i := 0; i < 10; i++ {
		d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		futures = append(futures, d)
	}
	for _, m := range []wire.Method{
		&wire.BasicAck{DeliveryTag: 3},                  // out of order
		&wire.BasicAck{DeliveryTag: 3},                  // twice
		&wire.BasicNack{DeliveryTag: 2, Multiple: true}, // 1 and 2
		&wire.BasicAck{DeliveryTag: 99},                 // of nothing
		&wire.BasicNack{DeliveryTag: 5},
		&wire.BasicAck{DeliveryTag: 7, Multiple: true}, // 4, 6, 7
		&wire.BasicAck{Multiple: true},                 // zero: all
	} {
		p.write(1, m)
	}
	for i, ack := range []bool{false, false, true, true, false, true, true, true, true, true} {
		tag := uint64(i + 1)
		if c, _ := next(t, "NotifyPublish", confirmations); c != (Confirmation{DeliveryTag: tag, Ack: ack}) {
			t.Errorf("confirmation %+v, want tag %d, ack %v", c, tag, ack)
		}
		err := futures[i].Result(bg)
		if ack && err != nil || !ack && err != ErrNacked || futures[i].Acked() != ack {
			t.Errorf("tag %d: %v, want ack %v", tag, err, ack)
		}
	}
}

func TestMaxUnconfirmed(t *testing.T) {
	conn, p := newPeer(t, Config{MaxUnconfirmed: 2, PublishTimeout: 200 * time.Millisecond})
	ch := p.confirming(conn)
	publish := func(ctx context.Context) error { return BasicPublish(ctx, ch, "", "k", BasicProperties{}, nil) }
	for i := 0; i < 2; i++ {
		if err := publish(bg); err != nil {
			t.Fatal(err)
		}
		p.message()
	}
	if err := publish(bg); err != ErrPublishTimeout {
		t.Errorf("a third: %v, want ErrPublishTimeout", err)
	}
	ctx, cancel := context.WithTimeout(bg, 20*time.Millisecond)
	defer cancel()
	if err := publish(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a third with a context: %v", err)
	}
	if err := BasicPublish(bg, ch, "", "k", BasicProperties{Expiration: strings.Repeat("9", 300)}, nil); err == nil {
		t.Error("a refused message was published")
	}
	p.quiet()
	results := make(chan error, 3)
	for i := 0; i < 3; i++ {
		go func() { results <- publish(bg) }()
	}
	p.write(1, &wire.BasicAck{DeliveryTag: 1})
	p.message()
	p.write(1, &wire.BasicNack{DeliveryTag: 2})
	p.message()
	for i := 0; i < 2; i++ {
		if err, _ := next(t, "publish", results); err != nil {
			t.Error(err)
		}
	}
	p.conn.Close()
	if err, _ := next(t, "publish", results); err == nil {
		t.Error("the fifth was published without a place")
	}
}

// channel.close from the broker: publishers in line are turned away, and nothing
// but close-ok follows on the channel.
func TestNothingFollowsCloseOk(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	var wg sync.WaitGroup
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for BasicPublish(bg, ch, "", "k", BasicProperties{}, []byte("x")) == nil {
			}
		}()
	}
	p.frame()
	p.write(1, &wire.ChannelClose{ReplyCode: NotFound, ReplyText: "NOT_FOUND"})
	wg.Wait()
	for {
		f := p.frame()
		if f.Type == wire.FrameMethod {
			m, err := wire.ParseMethod(f.Payload)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := m.(*wire.ChannelCloseOk); ok {
				break
			}
		}
	}
	p.quiet()
}

func TestBufferedPublishReturnsAtAdmissionAndFlushWrites(t *testing.T) {
	conn, p := newPeer(t, Config{Buffered: true})
	ch := p.channel(conn)
	for i := 0; i < 100; i++ {
		if err := BasicPublish(bg, ch, "", fmt.Sprint(i), BasicProperties{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "Flush", func() {
		if err := ch.Flush(bg); err != nil {
			t.Error(err)
		}
	})
	for i := 0; i < 100; i++ {
		if m := p.message(); m.publish.RoutingKey != fmt.Sprint(i) {
			t.Fatalf("message %d has key %s", i, m.publish.RoutingKey)
		}
	}
	ended := p.stall(ch)
	ctx, cancel := context.WithTimeout(bg, 50*time.Millisecond)
	defer cancel()
	if err := ch.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Flush on a stalled socket: %v", err)
	}
	conn.end(nil)
	next(t, "the stalled publisher", ended)
	if err := ch.Flush(bg); err != ErrClosed {
		t.Errorf("Flush after the end: %v", err)
	}
}

// sinkTransport finishes the handshake and swallows the rest.
type sinkTransport struct {
	in chan []byte
}

func newSinkTransport(tb testing.TB) io.ReadWriteCloser {
	d := &sinkTransport{in: make(chan []byte, 16)}
	for _, m := range []wire.Method{
		&wire.ConnectionStart{VersionMinor: 9, Mechanisms: "PLAIN", Locales: "en_US"},
		&wire.ConnectionTune{ChannelMax: 2047, FrameMax: 131072},
		&wire.ConnectionOpenOk{},
	} {
		b, err := wire.AppendMethod(nil, 0, m)
		if err != nil {
			tb.Fatal(err)
		}
		d.in <- b
	}
	return d
}

func (d *sinkTransport) Read(b []byte) (int, error) {
	more, ok := <-d.in
	if !ok {
		return 0, io.EOF
	}
	return copy(b, more), nil
}

func (d *sinkTransport) Write(b []byte) (int, error) { return len(b), nil }

func (d *sinkTransport) Close() error { close(d.in); return nil }

func openSink(tb testing.TB, config Config) *Channel {
	tb.Helper()
	transport := newSinkTransport(tb)
	config.SASL = []Authentication{&PlainAuth{}}
	// Answers are queued up front: each is expected by the time it is read.
	conn, err := Open(&paced{ReadWriteCloser: transport}, config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.end(nil) })
	ch := newChannel(conn, 1)
	conn.channels[1] = ch
	return ch
}

// paced lets the next answer through when something was written.
type paced struct {
	io.ReadWriteCloser
	once  sync.Once
	wrote chan struct{}
	count int
}

func (p *paced) init() { p.once.Do(func() { p.wrote = make(chan struct{}, 8) }) }

func (p *paced) Read(b []byte) (int, error) {
	p.init()
	if p.count < 3 {
		<-p.wrote
		p.count++
	}
	return p.ReadWriteCloser.Read(b)
}

func (p *paced) Write(b []byte) (int, error) {
	p.init()
	select {
	case p.wrote <- struct{}{}:
	default:
	}
	return p.ReadWriteCloser.Write(b)
}

func TestPublishAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	body := make([]byte, 32)
	for _, test := range []struct {
		name     string
		config   Config
		confirm  bool
		deferred bool
		want     float64
	}{
		{"plain", Config{}, false, false, 0},
		{"plain in confirm mode", Config{}, true, false, 0},
		{"buffered", Config{Buffered: true}, false, false, 0},
		{"deferred", Config{}, true, true, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			ch := openSink(t, test.config)
			ch.confirming.Store(test.confirm)
			tag := uint64(0)
			publish := func() {
				var err error
				if test.deferred {
					_, err = BasicPublishDeferred(bg, ch, "ex", "key", full, body)
				} else {
					err = BasicPublish(bg, ch, "ex", "key", full, body)
				}
				if err != nil {
					t.Fatal(err)
				}
				if tag++; test.confirm {
					ch.confirms.confirm(tag, false, true)
				}
			}
			for i := 0; i < 5000; i++ { // let the buffers grow
				publish()
			}
			if got := testing.AllocsPerRun(2000, publish); got > test.want {
				t.Errorf("%v allocations per publish, want at most %v", got, test.want)
			}
		})
	}
}
