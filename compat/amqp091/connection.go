package amqp091

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// Connection is a connection to a broker. All methods are safe for concurrent
// use; the exported fields are set by the handshake and must not be changed. The
// zero Connection is not closed, as in amqp091-go, but cannot be used either.
type Connection struct {
	conn      *newapi.Connection // nil in a zero Connection
	lifeCycle lifeCycle

	Config Config // as negotiated with the broker

	Major      int      // protocol version of the broker
	Minor      int      // likewise
	Properties Table    // what the broker says about itself
	Locales    []string // message locales of the broker
}

// Dial connects to the broker that an amqp or amqps URL names, with the defaults
// of Config.
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

// DialConfig connects to the broker that url names. The heartbeat of the URL goes
// before that of config. What the broker refuses is an *Error: ErrCredentials for
// the user or password, and the broker's own code and text for the virtual host.
func DialConfig(url string, config Config) (*Connection, error) {
	engine, err := config.engine()
	if err != nil {
		return nil, err
	}
	return newConnection(newapi.DialConfig(url, engine))
}

// Open speaks AMQP on an established transport, which it takes over: it is closed
// with the connection, or when the handshake fails.
func Open(conn io.ReadWriteCloser, config Config) (*Connection, error) {
	engine, err := config.engine()
	if err != nil {
		return nil, err
	}
	if engine.FrameSize == 0 { // which is a wish of DialConfig's alone
		engine.FrameSize = FrameSizeUnlimited
	}
	return newConnection(newapi.Open(conn, engine))
}

func newConnection(conn *newapi.Connection, err error) (*Connection, error) {
	if err != nil {
		return nil, handshakeError(err)
	}
	return &Connection{
		conn:       conn,
		Config:     negotiated(conn.Config),
		Major:      conn.Major,
		Minor:      conn.Minor,
		Properties: conn.Properties,
		Locales:    conn.Locales,
	}, nil
}

// handshakeError keeps what amqp091-go returns: ErrCredentials itself for a refused
// login, since it does not ask the broker for its words, and the broker's *Error
// for everything else that it refuses.
func handshakeError(err error) error {
	var e *Error
	switch {
	case !errors.As(err, &e) || !e.Server:
		return err
	case e.Code == AccessRefused:
		return ErrCredentials
	}
	return e
}

// Channel opens a channel. It returns ErrChannelMax when all that were negotiated
// are in use, and ErrClosed on a closed connection.
func (c *Connection) Channel() (*Channel, error) {
	if c.conn == nil {
		return nil, ErrClosed
	}
	ch, err := c.conn.Channel()
	if err != nil {
		return nil, err
	}
	return &Channel{ch: ch}, nil
}

// Close sends what is pending, says goodbye to the broker and closes the
// transport, all channels, consumers and listeners with it. On a connection that
// is closed or closing already it returns ErrClosed.
func (c *Connection) Close() error {
	if c.conn == nil {
		return ErrClosed
	}
	if !c.conn.IsClosed() {
		c.lifeCycle.closing()
	}
	return c.conn.Close()
}

// CloseDeadline is Close with a bound on the wait for the broker's answer. The
// connection is closed after it whatever it returns.
func (c *Connection) CloseDeadline(deadline time.Time) error {
	if c.conn == nil {
		return ErrClosed
	}
	if !c.conn.IsClosed() {
		c.lifeCycle.closing()
	}
	return c.conn.CloseDeadline(deadline)
}

// IsClosed reports whether the connection has been closed, by either side.
func (c *Connection) IsClosed() bool { return c.conn != nil && c.conn.IsClosed() }

// NotifyClose registers a chan that receives the reason when the connection ends
// for any reason but Close, and that is closed in any case. It returns receiver.
// A notice that receiver does not take waits for up to 5 s.
func (c *Connection) NotifyClose(receiver chan *Error) chan *Error {
	if c.conn == nil {
		return receiver
	}
	return c.conn.NotifyClose(receiver)
}

// NotifyBlocked registers a chan that receives RabbitMQ's connection.blocked and
// connection.unblocked, and that is closed with the connection. It returns
// receiver. While the broker blocks a connection, publishes wait.
func (c *Connection) NotifyBlocked(receiver chan Blocking) chan Blocking {
	if c.conn == nil {
		return receiver
	}
	return c.conn.NotifyBlocked(receiver)
}

// NotifyStateChange registers a chan that receives every later change of state:
// from StateOpen to StateClosing when Close is called, and to StateClosed, with
// the reason unless it was Close, when the connection has ended. It is closed
// after that, at once if the connection has ended. A change that ch does not take
// waits for up to 5 s. A nil chan, and one that is registered already, is
// ignored.
func (c *Connection) NotifyStateChange(ch chan *StateChanged) {
	if c.conn != nil {
		c.lifeCycle.notify(c.conn, ch)
	}
}

// NotifyRecoveryCancel registers a chan that is closed when the connection is
// about to close for good: without recovery, when Close is called or the
// connection has ended. It returns receiver.
func (c *Connection) NotifyRecoveryCancel(receiver chan struct{}) chan struct{} {
	if c.conn != nil {
		c.lifeCycle.notifyCancel(c.conn, receiver)
	}
	return receiver
}

// UpdateSecret replaces the connection's credentials, such as an OAuth 2 token
// that is about to expire.
func (c *Connection) UpdateSecret(newSecret, reason string) error {
	if c.conn == nil {
		return ErrClosed
	}
	return c.conn.UpdateSecret(newSecret, reason)
}

// LocalAddr returns the local address of the transport, or an empty *net.TCPAddr
// if it has none.
func (c *Connection) LocalAddr() net.Addr {
	if c.conn == nil {
		return &net.TCPAddr{}
	}
	return c.conn.LocalAddr()
}

// RemoteAddr returns the broker's address, or an empty *net.TCPAddr if the
// transport has none.
func (c *Connection) RemoteAddr() net.Addr {
	if c.conn == nil {
		return &net.TCPAddr{}
	}
	return c.conn.RemoteAddr()
}

// ConnectionState describes the TLS connection, or is the zero value without TLS.
func (c *Connection) ConnectionState() tls.ConnectionState {
	if c.conn == nil {
		return tls.ConnectionState{}
	}
	return c.conn.ConnectionState()
}
