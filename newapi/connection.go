package newapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Connection is a connection to a broker. It multiplexes channels over one
// transport. All methods are safe for concurrent use; the exported fields are
// set by the handshake and must not be changed.
//
// A nil *Connection and &Connection{} are closed connections: what can fail fails
// with ErrClosed, and the Notify methods close the chan at once.
type Connection struct {
	Config     Config   // as negotiated with the broker
	Major      int      // protocol version of the broker
	Minor      int      // likewise
	Properties Table    // what the broker says about itself
	Locales    []string // message locales of the broker

	conn   io.ReadWriteCloser
	writer *writer
	calls  caller // on channel 0

	frameMax atomic.Int64 // what the reader accepts
	octets   atomic.Uint64
	latest   *Channel // that the reader had a frame for; the reader's own

	closes listeners[*Error]
	blocks listeners[Blocking]

	mu         sync.Mutex
	channels   map[uint16]*Channel
	lastID     uint16
	hangingUp  bool   // Close, or a close by the broker, is under way
	closeError *Error // the broker's, once it has sent connection.close

	closed     atomic.Bool
	shutdown   sync.Once
	done       chan struct{} // closed by end
	readerDone chan struct{}

	transportClosed chan struct{}
}

// Dial connects to the broker that an amqp or amqps URL names (see ParseURI),
// with the defaults of Config.
func Dial(url string) (*Connection, error) {
	return DialConfig(url, Config{})
}

// DialTLS is Dial with a TLS configuration, used if the URL's scheme is amqps.
func DialTLS(url string, amqps *tls.Config) (*Connection, error) {
	return DialConfig(url, Config{TLSClientConfig: amqps})
}

// DialTLS_ExternalAuth is DialTLS with SASL EXTERNAL: the broker takes the
// user's name from the client's certificate.
func DialTLS_ExternalAuth(url string, amqps *tls.Config) (*Connection, error) {
	return DialConfig(url, Config{TLSClientConfig: amqps, SASL: []Authentication{&ExternalAuth{}}})
}

// DialConfig connects to the broker that url names. What the URL says about
// heartbeat has precedence over config, as in amqp091-go.
//
// When the broker refuses, errors.Is tells the step: ErrSASL, ErrCredentials or
// ErrVhost; errors.As with an *Error tells what the broker said.
func DialConfig(url string, config Config) (*Connection, error) {
	uri, err := ParseURI(url)
	if err != nil {
		return nil, err
	}
	if config.SASL == nil {
		if config.SASL, err = saslFromURI(uri); err != nil {
			return nil, err
		}
	}
	if config.Vhost == "" {
		config.Vhost = uri.Vhost
	}
	// The type of URI.Heartbeat is closed: read again what the URL says.
	heartbeat, given, err := heartbeatFromURL(url)
	if err != nil {
		return nil, err
	}
	switch {
	case given:
		config.Heartbeat = heartbeat
	case config.Heartbeat == 0:
		config.Heartbeat = defaultHeartbeat
	}
	if config.ChannelMax == 0 {
		config.ChannelMax = uri.ChannelMax
	}
	if config.FrameSize == 0 {
		config.FrameSize = defaultFrameSize
	}
	if err := config.check(); err != nil { // before there is anything to close
		return nil, err
	}
	timeout := time.Duration(uri.ConnectionTimeout) * time.Millisecond
	dial := config.Dial
	if dial == nil {
		if timeout == 0 {
			timeout = defaultConnectionTimeout
		}
		dial = DefaultDial(timeout)
	} else if timeout == 0 {
		timeout = handshakeTimeout
	}
	conn, err := dial("tcp", net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port)))
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	if uri.Scheme == "amqps" {
		if conn, err = handshakeTLS(conn, uri, &config, timeout); err != nil {
			return nil, err
		}
	}
	return openWithin(timeout-time.Since(begun), conn, config)
}

// handshakeTLS closes conn if it fails.
func handshakeTLS(conn net.Conn, uri URI, config *Config, timeout time.Duration) (net.Conn, error) {
	tlsConfig := config.TLSClientConfig
	if tlsConfig == nil {
		var err error
		if tlsConfig, err = tlsFromURI(uri); err != nil {
			conn.Close()
			return nil, err
		}
	}
	if tlsConfig.ServerName == "" {
		tlsConfig = tlsConfig.Clone()
		tlsConfig.ServerName = uri.Host
	}
	config.TLSClientConfig = tlsConfig
	client := tls.Client(conn, tlsConfig)
	patience, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := client.HandshakeContext(patience); err != nil {
		conn.Close()
		return nil, fmt.Errorf("newapi: TLS handshake with %s: %w", uri.Host, err)
	}
	return client, nil
}

var errNilTransport = errors.New("newapi: the transport to speak AMQP on is nil; Open's conn and what Config.Dial returns without an error must not be")

// Open speaks AMQP on an established transport, which it takes over: it is
// closed with the connection, or when the handshake fails. A deadline on the
// transport bounds the handshake and is removed after it; without one, two minutes
// do.
func Open(conn io.ReadWriteCloser, config Config) (*Connection, error) {
	return openWithin(handshakeTimeout, conn, config)
}

func openWithin(timeout time.Duration, conn io.ReadWriteCloser, config Config) (*Connection, error) {
	if conn == nil {
		return nil, errNilTransport
	}
	if err := config.check(); err != nil {
		conn.Close()
		return nil, err
	}
	config = config.withDefaults()
	c := &Connection{
		Config:   config,
		conn:     conn,
		channels: make(map[uint16]*Channel),
		done:     make(chan struct{}),

		readerDone:      make(chan struct{}),
		transportClosed: make(chan struct{}),
	}
	c.calls.init()
	c.frameMax.Store(wire.FrameMinSize)
	c.writer = newWriter(conn, config, func(err error) { c.end(asError(FrameError, err)) })
	go c.read()
	late := &Error{Code: ConnectionForced, Reason: fmt.Sprintf("the broker has not completed the handshake within %v", timeout.Round(time.Millisecond))}
	watch := time.AfterFunc(timeout, func() { c.end(late) })
	err := c.handshake(config)
	if !watch.Stop() && err == nil {
		err = late
	}
	if err == ErrClosed { // for a reason that is on its way
		<-c.done
		if reason := c.calls.reason; reason != nil {
			err = reason
		}
	}
	if err != nil {
		c.end(asError(FrameError, err))
		c.mu.Lock()
		if e := c.closeError; e != nil && !errors.Is(err, e) {
			err = e // it came between two steps
		}
		c.mu.Unlock()
		patience, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c.wait(patience.Done())
		return nil, err
	}
	return c, nil
}

// asError makes an *Error of what the transport says.
func asError(code int, err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Code: code, Reason: err.Error()}
}

// Channel opens a channel. A channel carries out one call at a time; open one
// for each goroutine that makes calls, and share channels freely for publishing
// and acknowledging.
func (c *Connection) Channel() (*Channel, error) {
	ch, err := c.allocate()
	if err != nil {
		return nil, err
	}
	if _, err := ch.call(&wire.ChannelOpen{}, wire.IDChannelOpenOk); err != nil {
		c.release(ch)
		ch.end(nil)
		return nil, err
	}
	return ch, nil
}

func (c *Connection) allocate() (*Channel, error) {
	if c.isUnopened() {
		return nil, ErrClosed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed.Load() || c.hangingUp {
		return nil, ErrClosed
	}
	limit := c.Config.ChannelMax
	if len(c.channels) >= int(limit) {
		return nil, ErrChannelMax
	}
	// The id least recently begun with: a late frame of a closed channel then
	// seldom meets a new one.
	for {
		if c.lastID++; c.lastID > limit || c.lastID == 0 {
			c.lastID = 1
		}
		if c.channels[c.lastID] == nil {
			ch := newChannel(c, c.lastID)
			c.channels[ch.id] = ch
			return ch, nil
		}
	}
}

// release frees a channel's id.
func (c *Connection) release(ch *Channel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.channels[ch.id] == ch {
		delete(c.channels, ch.id)
		ch.released.Store(true)
	}
}

// channel returns an open channel, or nil. Only the reader calls it.
func (c *Connection) channel(id uint16) *Channel {
	if ch := c.latest; ch != nil && ch.id == id && !ch.released.Load() {
		return ch
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = c.channels[id]
	return c.latest
}

// Close sends what is pending, says goodbye to the broker and closes the
// transport, all channels, consumers and listeners with it. It waits for the
// broker for up to 30 s. On a connection that is closed or closing already it
// returns ErrClosed.
func (c *Connection) Close() error {
	return c.CloseDeadline(time.Now().Add(defaultConnectionTimeout))
}

// CloseDeadline is Close with a deadline of the caller's choice. The connection
// is closed after it whatever it returns.
func (c *Connection) CloseDeadline(deadline time.Time) error {
	if c.isUnopened() {
		return ErrClosed
	}
	c.mu.Lock()
	if c.hangingUp || c.closed.Load() {
		c.mu.Unlock()
		return ErrClosed
	}
	c.hangingUp = true
	c.mu.Unlock()

	patience, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	// The reader ends the connection when the broker's close-ok comes.
	err := c.writer.hangUp(&wire.ConnectionClose{ReplyCode: replySuccess, ReplyText: "closed by the client"})
	if err == nil {
		select {
		case <-c.done:
		case <-patience.Done():
			err = &Error{Code: ChannelError, Reason: "the broker did not answer connection.close in time"}
		}
	}
	c.end(nil)
	c.wait(patience.Done())
	return err
}

// replySuccess is the reply code of a close that nothing was wrong with.
const replySuccess = 200

// hungUp answers the broker's connection.close. The reader calls it, so it must
// not wait for the writer.
func (c *Connection) hungUp(m *wire.ConnectionClose) {
	reason := serverError(m.ReplyCode, m.ReplyText)
	c.mu.Lock()
	again := c.closeError != nil
	if !again {
		c.hangingUp = true
		c.closeError = reason
	}
	c.mu.Unlock()
	if again {
		return
	}
	go c.hangUpWith(&wire.ConnectionCloseOk{}, reason)
}

// hangUpWith gives the last method a moment to leave, then ends the connection.
func (c *Connection) hangUpWith(last wire.Method, reason *Error) {
	_ = c.writer.hangUp(last)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.writer.drain(ctx) // a courtesy: the connection ends either way
	c.end(reason)
}

// end closes everything once. reason is nil for a graceful close.
func (c *Connection) end(reason *Error) {
	c.shutdown.Do(func() {
		c.mu.Lock()
		c.closed.Store(true)
		if reason != nil && c.closeError != nil {
			reason = c.closeError // the cause of the broken transport
		}
		channels := c.channels
		c.channels = nil
		for _, ch := range channels {
			ch.released.Store(true)
		}
		c.mu.Unlock()

		var err error = ErrClosed
		if reason != nil {
			err = reason
		}
		c.writer.stop(err)
		go func() { // a transport of the user's own may take its time
			defer close(c.transportClosed)
			c.conn.Close()
		}()
		c.calls.end(reason)
		for _, ch := range channels {
			ch.end(reason)
		}
		if reason != nil {
			c.closes.send(reason)
		}
		c.closes.close()
		c.blocks.close()
		close(c.done)
	})
}

// wait returns when the connection's goroutines have ended. A transport of the
// user's own whose Close does not interrupt Read or Write is given up on.
func (c *Connection) wait(patience <-chan struct{}) {
	<-c.done
	for _, ended := range []<-chan struct{}{c.transportClosed, c.writer.stopped, c.readerDone} {
		select {
		case <-ended:
		case <-patience:
			return
		}
	}
}

// isUnopened reports whether c is nil or zero.
func (c *Connection) isUnopened() bool { return c == nil || c.writer == nil }

// unconnected stands in for a nil or zero Connection in the Notify methods.
var unconnected = func() *Connection {
	c := new(Connection)
	c.closes.close()
	c.blocks.close()
	return c
}()

// orEnded returns c or, in place of a nil or zero one, a connection that has
// ended.
func (c *Connection) orEnded() *Connection {
	if c.isUnopened() {
		return unconnected
	}
	return c
}

// IsClosed reports whether the connection is closed.
func (c *Connection) IsClosed() bool { return c.isUnopened() || c.closed.Load() }

// NotifyClose registers a chan that receives the reason when the connection ends
// for any reason but Close, and that is closed in any case. It returns receiver.
// A notice that receiver does not take waits for up to 5 s.
func (c *Connection) NotifyClose(receiver chan *Error) chan *Error {
	return c.orEnded().closes.add(receiver)
}

// NotifyBlocked registers a chan that receives RabbitMQ's connection.blocked and
// connection.unblocked, and that is closed with the connection. It returns
// receiver. While the broker blocks a connection, publishes wait.
func (c *Connection) NotifyBlocked(receiver chan Blocking) chan Blocking {
	return c.orEnded().blocks.add(receiver)
}

// UpdateSecret replaces the connection's credentials, such as an OAuth 2 token
// that is about to expire. reason, of at most 255 octets, is for the broker's log.
func (c *Connection) UpdateSecret(newSecret, reason string) error {
	if c.IsClosed() {
		return ErrClosed
	}
	_, err := c.calls.call(c.writer, nil, c.Config.FrameSize,
		&wire.ConnectionUpdateSecret{NewSecret: newSecret, Reason: reason}, []wire.MethodID{wire.IDConnectionUpdateSecretOk})
	return err
}

// LocalAddr returns the local address of the transport, or an empty
// *net.TCPAddr if the transport has none.
func (c *Connection) LocalAddr() net.Addr {
	if conn, ok := c.orEnded().conn.(interface{ LocalAddr() net.Addr }); ok {
		return conn.LocalAddr()
	}
	return &net.TCPAddr{}
}

// RemoteAddr returns the broker's address, or an empty *net.TCPAddr if the
// transport has none.
func (c *Connection) RemoteAddr() net.Addr {
	if conn, ok := c.orEnded().conn.(interface{ RemoteAddr() net.Addr }); ok {
		return conn.RemoteAddr()
	}
	return &net.TCPAddr{}
}

// ConnectionState describes the TLS connection, or is the zero value without TLS.
func (c *Connection) ConnectionState() tls.ConnectionState {
	if conn, ok := c.orEnded().conn.(interface{ ConnectionState() tls.ConnectionState }); ok {
		return conn.ConnectionState()
	}
	return tls.ConnectionState{}
}

// heartbeats sends a heartbeat when nothing was sent for half the interval, and
// ends the connection when nothing was received for two.
func (c *Connection) heartbeats(interval time.Duration) {
	ticker := time.NewTicker(interval / 2)
	defer ticker.Stop()
	var sent, received uint64
	silent := 0
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
		}
		sent = c.writer.heartbeat(sent)
		if now := c.octets.Load(); now != received {
			received, silent = now, 0
		} else if silent++; silent >= 4 {
			c.end(&Error{Code: ConnectionForced, Reason: fmt.Sprintf("nothing received from the broker for %v: heartbeat timeout", 2*interval)})
			return
		}
	}
}
