package amqp091_test

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	upstream "github.com/rabbitmq/amqp091-go"
	"go.uber.org/goleak"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// patience bounds every wait; it is far beyond what passing takes.
const patience = 20 * time.Second

func TestMain(m *testing.M) { brokertest.Main(m, func() error { return goleak.Find() }) }

// onBrokers runs test against the broker in this process and against RabbitMQ.
func onBrokers(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("amqptest", func(t *testing.T) { test(t, amqptest.NewServer(t).URL()) })
	t.Run("RabbitMQ", func(t *testing.T) { test(t, brokertest.URL(t)) })
}

func dial(t testing.TB, url string, config amqp.Config) *amqp.Connection {
	t.Helper()
	conn, err := amqp.DialConfig(url, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func open(t testing.TB, url string) *amqp.Channel {
	t.Helper()
	return channel(t, dial(t, url, amqp.Config{}))
}

func channel(t testing.TB, conn *amqp.Connection) *amqp.Channel {
	t.Helper()
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func openUpstream(t testing.TB, url string, config upstream.Config) *upstream.Channel {
	t.Helper()
	conn, err := upstream.DialConfig(url, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

// declare makes an empty queue that goes with the connection, and names it.
func declare(t testing.TB, ch *amqp.Channel) string {
	t.Helper()
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q.Name
}

func confirming(t testing.TB, ch *amqp.Channel) *amqp.Channel {
	t.Helper()
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	return ch
}

func publish(t testing.TB, ch *amqp.Channel, queue, body string) {
	t.Helper()
	if err := ch.Publish("", queue, false, false, amqp.Publishing{Body: []byte(body)}); err != nil {
		t.Fatal(err)
	}
}

// receive takes one value from c; ok is false when c is closed.
func receive[T any](t testing.TB, c <-chan T) (v T, ok bool) {
	t.Helper()
	select {
	case v, ok = <-c:
		return v, ok
	case <-time.After(patience):
		t.Fatal("nothing arrived")
		return v, false
	}
}

// wantClosed waits for the end of c, which must not yield anything before.
func wantClosed[T any](t testing.TB, c <-chan T) {
	t.Helper()
	if v, ok := receive(t, c); ok {
		t.Errorf("got %s instead of the end of the chan", fmt.Sprint(v))
	}
}

// eventually waits for a condition that nothing announces.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// tap records what a client sends. From sink on, nothing is sent any more.
type tap struct {
	net.Conn
	mu      sync.Mutex
	sent    []byte
	discard bool
}

// dial is for the Dial field of a Config.
func (p *tap) dial(network, addr string) (net.Conn, error) {
	conn, err := net.Dial(network, addr)
	p.Conn = conn
	return p, err
}

func (p *tap) Write(b []byte) (int, error) {
	p.mu.Lock()
	if p.discard {
		p.mu.Unlock()
		return len(b), nil
	}
	p.sent = append(p.sent, b...)
	p.mu.Unlock()
	return p.Conn.Write(b)
}

// take returns what was sent since it was called last.
func (p *tap) take() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}

func (p *tap) sink() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.discard = true
}
