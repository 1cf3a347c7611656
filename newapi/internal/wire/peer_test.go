package wire

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

const patience = 60 * time.Second

// peer is the server end of a connection that amqp091-go opened: it answers by
// a script, keeps every frame the client writes, and sends what a test tells
// it to.
type peer struct {
	t      *testing.T
	conn   net.Conn
	frames chan []byte // whole frames from the client
	out    chan []byte // octets to the client
	done   chan struct{}
}

// dialPeer opens an amqp091-go connection to a new peer. The frames of the
// handshake are dropped.
func dialPeer(t *testing.T) (*peer, *amqp091.Connection) {
	t.Helper()
	clientEnd, serverEnd := net.Pipe()
	p := &peer{t: t, conn: serverEnd, frames: make(chan []byte, 64), out: make(chan []byte, 64), done: make(chan struct{})}
	var running sync.WaitGroup
	running.Add(2)
	go func() { defer running.Done(); p.read() }()
	go func() { defer running.Done(); p.write() }()

	conn, err := amqp091.Open(clientEnd, amqp091.Config{
		SASL:       []amqp091.Authentication{&amqp091.PlainAuth{Username: "guest", Password: "guest"}},
		Vhost:      "/",
		Locale:     "en_US",
		Properties: Table{"product": "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Both ends at once: a client that waits for an answer gets none.
		clientEnd.Close()
		serverEnd.Close()
		conn.Close()
		close(p.done)
		running.Wait()
	})
	for _, want := range []MethodID{IDConnectionStartOk, IDConnectionTuneOk, IDConnectionOpen} {
		if got := p.nextMethod().ID(); got != want {
			t.Fatalf("the client sent %s in the handshake, want %s", got, want)
		}
	}
	return p, conn
}

// openChannel opens the client's channel, number 1.
func (p *peer) openChannel(conn *amqp091.Connection) *amqp091.Channel {
	p.t.Helper()
	ch, err := conn.Channel()
	if err != nil {
		p.t.Fatal(err)
	}
	if got := p.nextMethod().ID(); got != IDChannelOpen {
		p.t.Fatalf("the client sent %s, want channel.open", got)
	}
	return ch
}

func (p *peer) read() {
	header := make([]byte, len(ProtocolHeader))
	if _, err := io.ReadFull(p.conn, header); err != nil || string(header) != ProtocolHeader {
		p.t.Errorf("the client began with %q, %v", header, err)
		return
	}
	p.send(0, &ConnectionStart{VersionMinor: 9, ServerProperties: Table{"product": "test"}, Mechanisms: "AMQPLAIN PLAIN", Locales: "en_US"})

	var buf []byte
	chunk := make([]byte, 4096)
	for {
		n, err := p.conn.Read(chunk)
		if err != nil {
			return
		}
		buf = append(buf, chunk[:n]...)
		for {
			f, n, err := ParseFrame(buf, 0)
			if err != nil {
				p.t.Errorf("from the client: %v", err)
				return
			}
			if n == 0 {
				break
			}
			select {
			case p.frames <- append([]byte(nil), buf[:n]...):
			case <-p.done:
				return
			}
			if f.Type == FrameMethod {
				m, err := ParseMethod(f.Payload)
				if err != nil {
					p.t.Errorf("from the client: %v", err)
					return
				}
				if answer := answerTo(m); answer != nil {
					p.send(f.Channel, answer)
				}
			}
			buf = buf[n:]
		}
	}
}

func (p *peer) write() {
	for {
		select {
		case b := <-p.out:
			if _, err := p.conn.Write(b); err != nil {
				return
			}
		case <-p.done:
			return
		}
	}
}

// send queues a method frame for the client.
func (p *peer) send(channel uint16, m Method) {
	b, err := AppendMethod(nil, channel, m)
	if err != nil {
		p.t.Errorf("%+v: %v", m, err)
		return
	}
	p.sendBytes(b)
}

// sendBytes queues octets for the client.
func (p *peer) sendBytes(b []byte) {
	select {
	case p.out <- b:
	case <-p.done:
	}
}

// sendContent queues a method with content, in body frames of 64 octets.
func (p *peer) sendContent(channel uint16, m Method, properties []byte, body string) {
	p.send(channel, m)
	b := AppendContentHeader(nil, channel, uint64(len(body)), properties)
	p.sendBytes(AppendBody(b, channel, []byte(body), 64))
}

// next returns the next frame the client wrote.
func (p *peer) next() []byte {
	p.t.Helper()
	return receive(p.t, p.frames)
}

func (p *peer) nextMethod() Method {
	p.t.Helper()
	f, _, err := ParseFrame(p.next(), 0)
	if err != nil {
		p.t.Fatal(err)
	}
	m, err := ParseMethod(f.Payload)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// expect fails unless the next frame from the client is exactly want.
func (p *peer) expect(want []byte) {
	p.t.Helper()
	if got := p.next(); !bytes.Equal(got, want) {
		p.t.Errorf("amqp091-go wrote\n     %q\nnot  %q", got, want)
	}
}

func receive[T any](t *testing.T, ch <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-ch:
		if !ok {
			t.Fatalf("%T closed where a value was due", ch)
		}
		return v
	case <-time.After(patience):
		t.Fatalf("nothing on %T for %v", ch, patience)
		panic("unreachable")
	}
}

// answerTo is the script: what the server says to a client's method.
func answerTo(m Method) Method {
	switch m := m.(type) {
	case *ConnectionStartOk:
		return &ConnectionTune{ChannelMax: 8, FrameMax: 8192}
	case *ConnectionOpen:
		return &ConnectionOpenOk{}
	case *ConnectionUpdateSecret:
		return &ConnectionUpdateSecretOk{}
	case *ConnectionClose:
		return &ConnectionCloseOk{}
	case *ChannelOpen:
		return &ChannelOpenOk{}
	case *ChannelFlow:
		return &ChannelFlowOk{Active: m.Active}
	case *ChannelClose:
		return &ChannelCloseOk{}
	case *ExchangeDeclare:
		return unless(m.NoWait, &ExchangeDeclareOk{})
	case *ExchangeDelete:
		return unless(m.NoWait, &ExchangeDeleteOk{})
	case *ExchangeBind:
		return unless(m.NoWait, &ExchangeBindOk{})
	case *ExchangeUnbind:
		return unless(m.NoWait, &ExchangeUnbindOk{})
	case *QueueDeclare:
		return unless(m.NoWait, &QueueDeclareOk{Queue: "named", MessageCount: 3, ConsumerCount: 2})
	case *QueueBind:
		return unless(m.NoWait, &QueueBindOk{})
	case *QueueUnbind:
		return &QueueUnbindOk{}
	case *QueuePurge:
		return unless(m.NoWait, &QueuePurgeOk{MessageCount: 4})
	case *QueueDelete:
		return unless(m.NoWait, &QueueDeleteOk{MessageCount: 5})
	case *BasicQos:
		return &BasicQosOk{}
	case *BasicConsume:
		return unless(m.NoWait, &BasicConsumeOk{ConsumerTag: m.ConsumerTag})
	case *BasicCancel:
		return unless(m.NoWait, &BasicCancelOk{ConsumerTag: m.ConsumerTag})
	case *BasicGet:
		if m.Queue == "empty" {
			return &BasicGetEmpty{}
		}
	case *BasicRecover:
		return &BasicRecoverOk{}
	case *ConfirmSelect:
		return unless(m.NoWait, &ConfirmSelectOk{})
	case *TxSelect:
		return &TxSelectOk{}
	case *TxCommit:
		return &TxCommitOk{}
	case *TxRollback:
		return &TxRollbackOk{}
	}
	return nil
}

func unless(noWait bool, answer Method) Method {
	if noWait {
		return nil
	}
	return answer
}
