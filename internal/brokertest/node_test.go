package brokertest

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { Main(m, func() error { return goleak.Find() }) }

// open connects to url and returns a channel in confirm mode with a durable queue
// called queue.
func open(t *testing.T, url, queue string) (*amqp.Connection, *amqp.Channel) {
	t.Helper()
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	if _, err := ch.QueueDeclare(queue, true, false, false, false, nil); err != nil {
		t.Fatal(err)
	}
	return conn, ch
}

// publish publishes body and returns its outstanding confirmation.
func publish(t *testing.T, ch *amqp.Channel, queue, body string) *amqp.DeferredConfirmation {
	t.Helper()
	//amqpfix:ignore publish a broker is tested with a client that stands on its own
	confirm, err := ch.PublishWithDeferredConfirmWithContext(context.Background(), "", queue, false, false,
		amqp.Publishing{DeliveryMode: amqp.Persistent, Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	return confirm
}

// confirmed reports whether confirm arrives within timeout.
func confirmed(confirm *amqp.DeferredConfirmation, timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	acked, err := confirm.WaitContext(ctx)
	return err == nil && acked
}

// get returns the body of the next message of queue.
func get(t *testing.T, ch *amqp.Channel, queue string) string {
	t.Helper()
	d, ok, err := ch.Get(queue, true)
	if err != nil || !ok {
		t.Fatalf("get from %s: message there: %t, error: %v", queue, ok, err)
	}
	return string(d.Body)
}

func TestSharedNodeDeliversWhatIsPublished(t *testing.T) {
	_, ch := open(t, URL(t), "delivers")
	if !confirmed(publish(t, ch, "delivers", "hello"), 10*time.Second) {
		t.Fatal("the message was not confirmed")
	}
	if got := get(t, ch, "delivers"); got != "hello" {
		t.Errorf("got %q, want hello", got)
	}
}

func TestSharedNodeIsOne(t *testing.T) {
	if a, b := URL(t), URL(t); a != b {
		t.Errorf("two calls gave %s and %s", a, b)
	}
}

func TestCtlSeesQueues(t *testing.T) {
	node := Shared(t)
	_, ch := open(t, node.URL(), "ctl")
	if !confirmed(publish(t, ch, "ctl", "hello"), 10*time.Second) {
		t.Fatal("the message was not confirmed")
	}
	out, err := node.Ctl("list_queues", "name", "messages")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "ctl\t1\n") {
		t.Errorf("list_queues printed %q, want a line ctl<tab>1", out)
	}
	get(t, ch, "ctl") // leaves the shared node as it was
}

func TestCtlReportsWhatTheToolSays(t *testing.T) {
	_, err := Shared(t).Ctl("delete_queue", "never-declared")
	if err == nil || !strings.Contains(err.Error(), "delete_queue never-declared") || !strings.Contains(err.Error(), "not found") {
		t.Errorf("error = %v, want the command and the tool's words", err)
	}
}

func TestPausedNodeAnswersAfterResume(t *testing.T) {
	t.Parallel()
	node := Start(t)
	_, ch := open(t, node.URL(), "paused")
	if err := node.Pause(); err != nil {
		t.Fatal(err)
	}
	confirm := publish(t, ch, "paused", "hello")
	if confirmed(confirm, 300*time.Millisecond) {
		t.Fatal("a paused broker confirmed a message")
	}
	if err := node.Resume(); err != nil {
		t.Fatal(err)
	}
	if !confirmed(confirm, 10*time.Second) {
		t.Error("the broker did not go on after Resume")
	}
}

func TestDurableQueueSurvivesKillAndRestart(t *testing.T) {
	t.Parallel()
	node := Start(t)
	conn, ch := open(t, node.URL(), "survives")
	if !confirmed(publish(t, ch, "survives", "hello"), 10*time.Second) {
		t.Fatal("the message was not confirmed")
	}
	closed := conn.NotifyClose(make(chan *amqp.Error, 1))
	if err := node.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := node.Kill(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-closed:
		if err != nil && err.Code == amqp.ConnectionForced && err.Server {
			t.Errorf("Kill took leave of the connection: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the connection is still open after Kill")
	}
	if err := node.Pause(); err == nil {
		t.Error("Pause of a node that is down: no error")
	}
	begin := time.Now()
	if err := node.Restart(); err != nil {
		t.Fatal(err)
	}
	t.Logf("serving again after %v", time.Since(begin).Round(time.Millisecond))
	_, ch = open(t, node.URL(), "survives")
	if got := get(t, ch, "survives"); got != "hello" {
		t.Errorf("got %q, want hello", got)
	}
}

// listener notes what it reads. Whether a client reports the broker's farewell or
// the failure to answer it is a race; that the farewell came is not.
type listener struct {
	net.Conn
	mu   sync.Mutex
	read []byte
}

func (l *listener) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.read = append(l.read, p[:n]...)
	return n, err
}

func (l *listener) heard(words string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Contains(l.read, []byte(words))
}

func TestStopTakesLeaveOfConnections(t *testing.T) {
	t.Parallel()
	node := Start(t)
	var wire *listener
	conn, err := amqp.DialConfig(node.URL(), amqp.Config{Dial: func(network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		wire = &listener{Conn: c}
		return wire, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	closed := conn.NotifyClose(make(chan *amqp.Error, 1))
	if err := node.Pause(); err != nil {
		t.Fatal(err)
	}
	if err := node.Stop(); err != nil { // a paused one, too
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("the connection is still open after Stop")
	}
	if !wire.heard("CONNECTION_FORCED") {
		t.Error("the node went without connection.close")
	}
	if err := errors.Join(node.Stop(), node.Kill(), node.Close(), node.Close()); err != nil {
		t.Errorf("ending a node again: %v", err)
	}
}

func TestNodesSideBySideAreStrangers(t *testing.T) {
	t.Parallel()
	type result struct {
		node *Node
		err  error
	}
	results := make(chan result)
	for i := 0; i < 2; i++ {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
			defer cancel()
			node, err := Launch(ctx, Options{})
			results <- result{node, err}
		}()
	}
	a, b := <-results, <-results
	for _, r := range []result{a, b} {
		if r.err == nil {
			defer r.node.Close()
		}
		check(t, r.err)
	}
	if a.node.URL() == b.node.URL() || a.node.name == b.node.name || a.node.epmd == b.node.epmd || a.node.dir == b.node.dir {
		t.Fatalf("two nodes share something: %s and %s", a.node.URL(), b.node.URL())
	}
	open(t, a.node.URL(), "mine")
	out, err := b.node.Ctl("list_queues", "name")
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(out) != "" {
		t.Errorf("a queue of one node is listed by the other: %q", out)
	}
}

func TestOptionsReachTheNode(t *testing.T) {
	t.Parallel()
	node := StartWith(t, Options{TLS: true, Config: "channel_max = 17"})
	for name, dial := range map[string]func() (*amqp.Connection, error){
		"plain": func() (*amqp.Connection, error) { return amqp.Dial(node.URL()) },
		"TLS": func() (*amqp.Connection, error) {
			return amqp.DialTLS(node.TLSURL(), &tls.Config{RootCAs: node.RootCAs()})
		},
	} {
		conn, err := dial()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := conn.Config.ChannelMax; got != 17 {
			t.Errorf("%s: the node offers %d channels, want 17", name, got)
		}
		if err := conn.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := amqp.DialTLS(node.TLSURL(), nil); err == nil {
		t.Error("a client that does not know the node's authority connected")
	}
}

func TestLaunchTellsWhyANodeDoesNotStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
	defer cancel()
	node, err := Launch(ctx, Options{Config: "no_such_setting = 1"})
	if err == nil {
		node.Close()
		t.Fatal("a node with a wrong setting started")
	}
	if errors.Is(err, ErrNotInstalled) {
		check(t, err)
	}
	if !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("error = %v, want the log's words on no_such_setting", err)
	}
}

func TestLaunchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	node, err := Launch(ctx, Options{})
	if err == nil {
		node.Close()
		t.Fatal("a node served within 50 ms")
	}
	if errors.Is(err, ErrNotInstalled) {
		check(t, err)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want context.DeadlineExceeded", err)
	}
}
