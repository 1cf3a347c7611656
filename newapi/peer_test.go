package newapi

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// testPatience bounds every wait of the tests; it is far beyond what passing takes.
const testPatience = 60 * time.Second

// peer is a broker that says what the test tells it to. It shows what is on the
// wire, octet by octet, and can stop reading.
type peer struct {
	tb     testing.TB
	conn   *net.TCPConn
	buf    []byte
	synced chan Blocking
	syncs  int
	tuneOk *wire.ConnectionTuneOk
}

// newPeer returns a connection and the peer at its other end, after the
// handshake.
func newPeer(tb testing.TB, config Config) (*Connection, *peer) {
	tb.Helper()
	return newPeerTuned(tb, config, wire.ConnectionTune{ChannelMax: 2047, FrameMax: 131072})
}

func newPeerTuned(tb testing.TB, config Config, tune wire.ConnectionTune) (*Connection, *peer) {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan *peer, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			accepted <- nil
			return
		}
		p := &peer{tb: tb, conn: conn.(*net.TCPConn)}
		if err := p.handshake(tune); err != nil {
			tb.Errorf("peer: handshake: %v", err)
		}
		accepted <- p
	}()
	conn, err := DialConfig("amqp://"+listener.Addr().String()+"/?heartbeat=0", config)
	if err != nil {
		tb.Fatal(err)
	}
	p := <-accepted
	tb.Cleanup(func() {
		p.conn.Close()
		conn.Close()
	})
	return conn, p
}

func (p *peer) handshake(tune wire.ConnectionTune) error {
	header := make([]byte, len(wire.ProtocolHeader))
	if _, err := io.ReadFull(p.conn, header); err != nil || string(header) != wire.ProtocolHeader {
		return errors.Join(err, errors.New("no protocol header"))
	}
	p.write(0, &wire.ConnectionStart{VersionMinor: 9, Mechanisms: "PLAIN AMQPLAIN", Locales: "en_US"})
	for _, answer := range []wire.Method{&tune, nil, &wire.ConnectionOpenOk{}} {
		f, err := p.read()
		if err != nil {
			return err
		}
		if m, err := wire.ParseMethod(f.Payload); err == nil && m.ID() == wire.IDConnectionTuneOk {
			p.tuneOk = m.(*wire.ConnectionTuneOk)
		}
		if answer != nil {
			p.write(0, answer)
		}
	}
	return nil
}

// write sends a method.
func (p *peer) write(channel uint16, m wire.Method) {
	p.tb.Helper()
	b, err := wire.AppendMethod(nil, channel, m)
	if err != nil {
		p.tb.Errorf("peer: %v", err)
	}
	p.writeRaw(b)
}

func (p *peer) writeRaw(b []byte) {
	if _, err := p.conn.Write(b); err != nil && !errors.Is(err, net.ErrClosed) {
		p.tb.Logf("peer: write: %v", err)
	}
}

// read returns the next frame; its payload is the caller's.
func (p *peer) read() (wire.Frame, error) {
	if err := p.conn.SetReadDeadline(time.Now().Add(testPatience)); err != nil {
		return wire.Frame{}, err
	}
	for {
		f, n, err := wire.ParseFrame(p.buf, 0)
		if err != nil {
			return f, err
		}
		if n > 0 {
			f.Payload = append([]byte(nil), f.Payload...)
			p.buf = p.buf[n:]
			return f, nil
		}
		more := make([]byte, 64<<10)
		k, err := p.conn.Read(more)
		p.buf = append(p.buf, more[:k]...)
		if err != nil {
			return f, err
		}
	}
}

// sync returns when the connection has dealt with all that the peer wrote before.
func (p *peer) sync(conn *Connection) {
	p.tb.Helper()
	if p.synced == nil {
		p.synced = conn.NotifyBlocked(make(chan Blocking, 2))
	}
	p.syncs++
	reason := strconv.Itoa(p.syncs)
	p.write(0, &wire.ConnectionBlocked{Reason: reason})
	p.write(0, &wire.ConnectionUnblocked{})
	for b, open := (Blocking{}), true; b.Reason != reason; {
		if b, open = next(p.tb, "connection.blocked", p.synced); !open {
			p.tb.Fatal("the connection is closed")
		}
	}
	next(p.tb, "connection.unblocked", p.synced)
}

func (p *peer) frame() wire.Frame {
	p.tb.Helper()
	f, err := p.read()
	if err != nil {
		p.tb.Fatalf("peer: read: %v", err)
	}
	return f
}

// method reads a frame that must hold a method of type M.
func method[M wire.Method](p *peer) M {
	p.tb.Helper()
	f := p.frame()
	if f.Type != wire.FrameMethod {
		p.tb.Fatalf("peer: frame of type %d, want a method", f.Type)
	}
	m, err := wire.ParseMethod(f.Payload)
	if err != nil {
		p.tb.Fatalf("peer: %v", err)
	}
	got, ok := m.(M)
	if !ok {
		p.tb.Fatalf("peer: got %T, want %T", m, got)
	}
	return got
}

// message is a publish as it came in.
type message struct {
	publish    *wire.BasicPublish
	properties ReadOnlyBasicProperties
	body       []byte
	frames     int
}

// message reads the frames of one publish.
func (p *peer) message() message {
	p.tb.Helper()
	m := message{publish: method[*wire.BasicPublish](p)}
	f := p.frame()
	h, err := wire.ParseContentHeader(f.Payload)
	if f.Type != wire.FrameHeader || err != nil {
		p.tb.Fatalf("peer: frame of type %d, want a content header: %v", f.Type, err)
	}
	m.frames = 2
	m.properties = newReadOnly(h.Properties)
	for uint64(len(m.body)) < h.BodySize {
		f := p.frame()
		if f.Type != wire.FrameBody {
			p.tb.Fatalf("peer: frame of type %d, want a body", f.Type)
		}
		m.body = append(m.body, f.Payload...)
		m.frames++
	}
	return m
}

// quiet checks that nothing comes for a moment.
func (p *peer) quiet() {
	p.tb.Helper()
	if len(p.buf) == 0 {
		p.conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		more := make([]byte, 4096)
		n, _ := p.conn.Read(more)
		p.buf = more[:n]
	}
	if len(p.buf) > 0 {
		p.tb.Fatalf("peer: unexpected octets % x", p.buf[:min(len(p.buf), 64)])
	}
}

// channel opens the connection's first channel and answers for it.
func (p *peer) channel(conn *Connection) *Channel {
	p.tb.Helper()
	return p.channelWithID(conn, 1)
}

// confirming opens a channel in confirm mode.
func (p *peer) confirming(conn *Connection) *Channel {
	p.tb.Helper()
	ch := p.channel(conn)
	if err := ch.Confirm(true); err != nil {
		p.tb.Fatal(err)
	}
	method[*wire.ConfirmSelect](p)
	return ch
}

// consume starts a consumer and answers for it.
func (p *peer) consume(ch *Channel) <-chan Delivery {
	p.tb.Helper()
	deliveries, err := ch.Consume("q", "tag", false, false, false, true, nil)
	if err != nil {
		p.tb.Fatal(err)
	}
	method[*wire.BasicConsume](p)
	return deliveries
}

// deliver sends a delivery whose content header is given whole.
func (p *peer) deliver(tag uint64, header, body []byte, pieces ...int) {
	p.tb.Helper()
	b, err := wire.AppendMethod(nil, 1, &wire.BasicDeliver{ConsumerTag: "tag", DeliveryTag: tag, Exchange: "ex", RoutingKey: "key"})
	if err != nil {
		p.tb.Fatal(err)
	}
	b = wire.AppendContentHeader(b, 1, uint64(len(body)), header)
	for _, n := range pieces {
		b = wire.AppendFrame(b, wire.FrameBody, 1, body[:n])
		body = body[n:]
	}
	if len(body) > 0 {
		b = wire.AppendFrame(b, wire.FrameBody, 1, body)
	}
	p.writeRaw(b)
}

// stall publishes until the transport takes no more, and returns a chan that is
// closed when the publisher has given up.
func (p *peer) stall(ch *Channel) <-chan struct{} {
	p.tb.Helper()
	p.conn.SetReadBuffer(4096)
	ch.conn.conn.(*net.TCPConn).SetWriteBuffer(4096)
	ended := make(chan struct{})
	progress := make(chan struct{}, 1)
	go func() {
		defer close(ended)
		body := make([]byte, 32<<10)
		for BasicPublish(context.Background(), ch, "", "stall", BasicProperties{}, body) == nil {
			select {
			case progress <- struct{}{}:
			default:
			}
		}
	}()
	for {
		select {
		case <-progress:
		case <-time.After(100 * time.Millisecond):
			return ended
		case <-ended:
			p.tb.Fatal("the stalling publisher ended")
		}
	}
}

// within fails the test if do does not return in time.
func within(tb testing.TB, what string, do func()) {
	tb.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(testPatience):
		tb.Fatalf("%s does not return", what)
	}
}

func next[T any](tb testing.TB, what string, c <-chan T) (T, bool) {
	tb.Helper()
	select {
	case v, ok := <-c:
		return v, ok
	case <-time.After(testPatience):
		tb.Fatalf("%s: nothing received", what)
		panic("unreachable")
	}
}

var bg = context.Background()

// channelWithID opens a channel that must get the given id.
func (p *peer) channelWithID(conn *Connection, id uint16) *Channel {
	p.tb.Helper()
	opened := make(chan *Channel, 1)
	go func() {
		ch, err := conn.Channel()
		if err != nil {
			p.tb.Errorf("Channel: %v", err)
		}
		opened <- ch
	}()
	if f := p.frame(); f.Channel != id {
		p.tb.Fatalf("channel %d opened, want %d", f.Channel, id)
	}
	p.write(id, &wire.ChannelOpenOk{})
	return <-opened
}
