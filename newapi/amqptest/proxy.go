package amqptest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// dialTimeout bounds how long the proxy tries to reach the broker for a client.
const dialTimeout = 10 * time.Second

// Proxy relays between clients and a broker and records every basic.publish on
// its way. It changes no octet. All its methods are safe for concurrent use.
type Proxy struct {
	url      url.URL
	broker   string // host and port
	listener net.Listener
	running  sync.WaitGroup
	recorder recorder
	context  context.Context // done when the proxy closes
	cancel   context.CancelFunc

	mu      sync.Mutex
	closed  bool
	sockets map[net.Conn]struct{}
	err     error
}

// StartProxy starts a proxy on a free port of 127.0.0.1 before the broker that
// an amqp URL names. The broker is dialled for each client anew; it need not
// run yet. An amqps URL is refused: what is encrypted cannot be recorded. The
// caller closes the proxy.
func StartProxy(brokerURL string) (*Proxy, error) {
	broker, err := amqp091.ParseURI(brokerURL)
	if err != nil {
		return nil, fmt.Errorf("amqptest: broker URL: %w", err)
	}
	if broker.Scheme != "amqp" {
		return nil, fmt.Errorf("amqptest: broker URL has scheme %q; a proxy can only read amqp", broker.Scheme)
	}
	u, err := url.Parse(brokerURL)
	if err != nil {
		return nil, fmt.Errorf("amqptest: broker URL: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("amqptest: no port to listen on: %w", err)
	}
	p := &Proxy{
		url:      *u,
		broker:   net.JoinHostPort(broker.Host, strconv.Itoa(broker.Port)),
		listener: listener,
		sockets:  make(map[net.Conn]struct{}),
	}
	p.url.Host = listener.Addr().String()
	p.context, p.cancel = context.WithCancel(context.Background())
	p.running.Add(1)
	go p.accept()
	return p, nil
}

// URL returns what a client dials: the broker's URL with the proxy's address.
func (p *Proxy) URL() string { return p.url.String() }

// Published returns every basic.publish that has passed since the start or the
// last Reset, in order of arrival. A publish is recorded before the broker gets
// the last of it, so one that was confirmed is there. The recording grows until
// Reset.
func (p *Proxy) Published() []Published { return p.recorder.all() }

// WaitPublished waits until n publishes have passed and returns what Published
// does then, which may be more. It fails when ctx is done or the proxy closes,
// with what has passed.
func (p *Proxy) WaitPublished(ctx context.Context, n int) ([]Published, error) {
	return p.recorder.wait(ctx, n)
}

// Reset empties the recording.
func (p *Proxy) Reset() { p.recorder.reset() }

// Err returns the first reason why the recording may be incomplete: a client
// whose stream could not be read as AMQP, or for whom the broker could not be
// reached. nil means that nothing was missed.
func (p *Proxy) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Close stops listening, closes all connections in both directions and returns
// when no goroutine of the proxy is left. What was recorded stays readable.
// Closing again does nothing.
func (p *Proxy) Close() error {
	p.mu.Lock()
	first := !p.closed
	p.closed = true
	for socket := range p.sockets {
		socket.Close()
	}
	p.mu.Unlock()

	var err error
	if first {
		p.cancel()
		err = p.listener.Close()
		p.recorder.close()
	}
	p.running.Wait()
	return err
}

// fail notes why the recording may be incomplete.
func (p *Proxy) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil && !p.closed {
		p.err = err
	}
}

// keep remembers a socket for Close. It closes the socket and reports false
// when the proxy is closed already.
func (p *Proxy) keep(socket net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		socket.Close()
		return false
	}
	p.sockets[socket] = struct{}{}
	return true
}

// drop closes sockets and forgets them.
func (p *Proxy) drop(sockets ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, socket := range sockets {
		socket.Close()
		delete(p.sockets, socket)
	}
}

func (p *Proxy) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// accept relays for clients until the listener is closed.
func (p *Proxy) accept() {
	defer p.running.Done()
	for number := 1; ; {
		client, err := p.listener.Accept()
		if err != nil {
			if p.isClosed() {
				return
			}
			time.Sleep(5 * time.Millisecond) // out of file descriptors, or the client is gone already
			continue
		}
		if !p.keep(client) {
			return
		}
		t := newTap(number, p.recorder.add)
		number++
		p.running.Add(1)
		go func() {
			defer p.running.Done()
			p.relay(client, t)
		}()
	}
}

// relay moves octets both ways until either side ends.
func (p *Proxy) relay(client net.Conn, t *tap) {
	defer p.drop(client)
	dialer := net.Dialer{Timeout: dialTimeout}
	broker, err := dialer.DialContext(p.context, "tcp", p.broker)
	if err != nil {
		p.fail(fmt.Errorf("amqptest: connection %d: broker: %w", t.connection, err))
		return
	}
	if !p.keep(broker) {
		return
	}
	defer p.drop(broker)

	back := make(chan struct{})
	go func() {
		defer close(back)
		pump(client, broker, func([]byte) {})
	}()
	pump(broker, client, func(octets []byte) {
		if err := t.feed(octets); err != nil {
			p.fail(fmt.Errorf("amqptest: connection %d: %w", t.connection, err))
		}
	})
	<-back
}

// pump moves octets one way, shows them on the way, and hands on the end of the
// stream. When the way is cut it takes the other way down too.
func pump(to, from net.Conn, show func([]byte)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			show(buf[:n])
			if _, err := to.Write(buf[:n]); err != nil {
				from.Close()
				return
			}
		}
		if err != nil {
			if half, ok := to.(interface{ CloseWrite() error }); ok && !errors.Is(err, net.ErrClosed) {
				half.CloseWrite()
				return
			}
			to.Close()
			return
		}
	}
}
