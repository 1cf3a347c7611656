package amqptest

import (
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// phase is how far a connection is in its life.
type phase string

const (
	starting phase = "starting" // start sent, start-ok expected
	tuning   phase = "tuning"   // tune sent, tune-ok expected
	opening  phase = "opening"  // tune-ok received, open expected
	running  phase = "running"
	closing  phase = "closing" // close sent, close-ok expected
	closed   phase = "closed"  // close-ok sent or received
)

// conn is one client. One goroutine reads and handles its frames, one writes.
type conn struct {
	server *Server
	number int
	socket net.Conn
	frames *frameReader
	out    *outbox

	killOnce sync.Once
	gone     chan struct{} // closed by kill
	done     chan struct{} // closed when nothing of the connection is left

	// The rest is the server lock's, except that the reader alone writes
	// frameMax and heartbeat and may read them without it.
	phase        phase
	user         string
	properties   newapi.Table // the client's own
	cancelNotify bool         // the client understands basic.cancel from us
	blockNotify  bool         // the client understands connection.blocked
	vhost        *vhost
	channelMax   uint16
	frameMax     int
	heartbeat    time.Duration
	beat         *timer
	grace        *timer
	channels     map[uint16]*channel
	unconfirmed  map[*channel]struct{} // channels with confirms to send
}

func newConn(s *Server, number int, socket net.Conn) *conn {
	c := &conn{
		server:      s,
		number:      number,
		socket:      socket,
		gone:        make(chan struct{}),
		done:        make(chan struct{}),
		phase:       starting,
		frameMax:    serverFrameMax,
		channelMax:  serverChannelMax,
		channels:    make(map[uint16]*channel),
		unconfirmed: make(map[*channel]struct{}),
	}
	c.frames = newFrameReader(streamReader{c})
	c.out = newOutbox(socket, &s.writeGate, c.gone)
	c.out.drain = c.drained
	return c
}

// run serves the client to its end.
func (c *conn) run() {
	defer close(c.done)
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.out.run()
	}()

	c.serve()

	c.server.mu.Lock()
	c.release()
	c.phase = closed
	if c.grace == nil {
		c.grace = c.server.after(closeGrace, c.kill)
	}
	c.server.mu.Unlock()

	c.out.end()
	<-written
	c.kill()

	c.server.mu.Lock()
	c.grace.stop()
	delete(c.server.connections, c)
	c.server.mu.Unlock()
}

// kill ends the connection without a word. It may be called at any time.
func (c *conn) kill() {
	c.killOnce.Do(func() {
		close(c.gone)
		c.socket.Close()
	})
}

// streamReader is the client's stream. It is asked for more only when all that
// came has been handled, which makes it the place for what to do before
// waiting.
type streamReader struct{ c *conn }

func (r streamReader) Read(p []byte) (int, error) {
	r.c.sendConfirms()
	if r.c.heartbeat > 0 {
		// Two intervals without an octet and the peer is dead, section 4.2.7.
		_ = r.c.socket.SetReadDeadline(time.Now().Add(2 * r.c.heartbeat))
	}
	return r.c.socket.Read(p)
}

// serve handles frames until the connection is over.
func (c *conn) serve() {
	ok, err := c.frames.protocolHeader()
	if err != nil {
		return
	}
	if !ok {
		// Section 4.2.2: name the protocol that is spoken here, and hang up.
		_ = c.out.add(func(dst []byte) ([]byte, error) { return append(dst, wire.ProtocolHeader...), nil })
		return
	}
	c.greet()
	for {
		c.out.room()
		frame, err := c.frames.next()
		var broken *exception
		switch {
		case errors.As(err, &broken):
			c.refuse(broken)
			c.frames.discard() // where the next frame begins is unknown
			return
		case err != nil || !c.admit(frame):
			return
		}
		if c.handle(frame) == closed {
			return
		}
	}
}

// admit waits while a test or a memory alarm holds the connection. Only a
// client that publishes is held by an alarm, and then it is not read at all,
// as with RabbitMQ.
func (c *conn) admit(f wire.Frame) bool {
	s := c.server
	if s.memoryGate.isShut() && isPublish(f) {
		c.sendConfirms()
		if !s.memoryGate.pass(c.gone) {
			return false
		}
	}
	if !s.readGate.isShut() {
		return true
	}
	c.sendConfirms()
	return s.readGate.pass(c.gone)
}

func isPublish(f wire.Frame) bool {
	if f.Type != wire.FrameMethod {
		return false
	}
	id, _, err := wire.ParseMethodID(f.Payload)
	return err == nil && id == wire.IDBasicPublish
}

// handle takes one frame and returns the phase that it leads to.
func (c *conn) handle(f wire.Frame) phase {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()

	if c.phase == closing {
		c.handleClosing(f)
		return c.phase
	}
	var err error
	switch {
	case f.Type == wire.FrameHeartbeat:
	case f.Channel == 0:
		err = c.handleZero(f)
	case c.phase != running:
		err = connectionError(amqp091.UnexpectedFrame, "frame on channel %d in connection state %s", f.Channel, c.phase)
	default:
		err = c.handleChannel(f)
	}
	if err != nil {
		c.fail(asException(err))
	}
	return c.phase
}

// handleClosing takes a frame after close was sent: all but the end of the
// handshake is ignored, as the description of connection.close asks.
func (c *conn) handleClosing(f wire.Frame) {
	if f.Type != wire.FrameMethod || f.Channel != 0 {
		return
	}
	switch id, _, _ := wire.ParseMethodID(f.Payload); id {
	case wire.IDConnectionCloseOk:
		c.phase = closed
	case wire.IDConnectionClose:
		c.send(0, &wire.ConnectionCloseOk{})
		c.phase = closed
	}
}

// handleZero takes a frame of channel 0, the connection's own.
func (c *conn) handleZero(f wire.Frame) error {
	if f.Type != wire.FrameMethod {
		return connectionError(amqp091.UnexpectedFrame, "content frame on channel 0")
	}
	m, err := wire.ParseMethod(f.Payload)
	if err != nil {
		id, _, _ := wire.ParseMethodID(f.Payload)
		return blame(malformed(err), id)
	}
	return blame(c.handleMethod(m), m.ID())
}

func (c *conn) handleMethod(m wire.Method) error {
	switch m := m.(type) {
	case *wire.ConnectionClose:
		c.flushConfirms()
		c.release() // before the answer, which says that it is done
		c.send(0, &wire.ConnectionCloseOk{})
		c.phase = closed
		return nil
	case *wire.ConnectionStartOk:
		if c.phase == starting {
			return c.startOk(m)
		}
	case *wire.ConnectionTuneOk:
		if c.phase == tuning {
			return c.tuneOk(m)
		}
	case *wire.ConnectionOpen:
		if c.phase == opening {
			return c.open(m)
		}
	case *wire.ConnectionUpdateSecret:
		if c.phase == running {
			c.send(0, &wire.ConnectionUpdateSecretOk{})
			return nil
		}
	}
	return connectionError(amqp091.ChannelError, "unexpected method in connection state %s", c.phase)
}

// handleChannel takes a frame of any other channel. An exception of the channel
// ends here, one of the connection is returned.
func (c *conn) handleChannel(f wire.Frame) error {
	ch := c.channels[f.Channel]
	if ch == nil {
		return c.openChannel(f)
	}
	err := ch.handle(f)
	if e := asException(err); e != nil && !e.connection {
		ch.fail(e)
		return nil
	}
	return err
}

// openChannel takes the frame that has to open a channel.
func (c *conn) openChannel(f wire.Frame) error {
	if f.Type != wire.FrameMethod {
		return connectionError(amqp091.ChannelError, "expected 'channel.open'")
	}
	id, _, _ := wire.ParseMethodID(f.Payload)
	if id != wire.IDChannelOpen {
		return blame(connectionError(amqp091.ChannelError, "expected 'channel.open'"), id)
	}
	if f.Channel > c.channelMax {
		return blame(connectionError(amqp091.NotAllowed, "channel number %d is above the negotiated channel_max (%d)", f.Channel, c.channelMax), id)
	}
	c.channels[f.Channel] = newChannel(c, f.Channel)
	c.send(f.Channel, &wire.ChannelOpenOk{})
	return nil
}

// asException returns err as the exception it is; handlers return no other
// errors.
func asException(err error) *exception {
	var e *exception
	errors.As(err, &e)
	return e
}

// refuse is fail for those who do not hold the server's lock.
func (c *conn) refuse(e *exception) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.fail(e)
}

// fail sends connection.close and gives the client a moment to answer.
func (c *conn) fail(e *exception) {
	if c.phase == closing || c.phase == closed {
		return
	}
	c.flushConfirms()
	c.phase = closing
	c.release()
	c.send(0, &wire.ConnectionClose{
		ReplyCode: e.code,
		ReplyText: e.text,
		ClassID:   e.method.Class(),
		MethodID:  e.method.Method(),
	})
	c.grace = c.server.after(closeGrace, c.kill)
}

// forceClose is connection.close at the server's own will.
func (c *conn) forceClose(reason string) {
	if c.phase == starting { // nothing was said yet: a bare hang-up is all the client can take
		c.kill()
		return
	}
	c.fail(asException(connectionError(amqp091.ConnectionForced, "%s", reason)))
}

// release gives back all that the connection holds in the broker.
func (c *conn) release() {
	for _, ch := range c.sortedChannels() {
		ch.release()
	}
	c.channels = map[uint16]*channel{}
	if c.vhost != nil {
		for _, q := range c.vhost.sortedQueues() {
			if q.owner == c {
				q.delete()
			}
		}
	}
	c.beat.stop()
}

// drained is called by the writer once there is room for deliveries again.
func (c *conn) drained() {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	for _, ch := range c.sortedChannels() {
		ch.kick()
	}
}

// sortedChannels returns the channels by number, so that what happens to one
// after the other happens in the same order every time.
func (c *conn) sortedChannels() []*channel {
	channels := make([]*channel, 0, len(c.channels))
	for _, ch := range c.channels {
		channels = append(channels, ch)
	}
	slices.SortFunc(channels, func(a, b *channel) int { return int(a.id) - int(b.id) })
	return channels
}

// send queues a method for the client. Every string in it has been cut to its
// limit by those who made it; should one not fit all the same, the connection
// ends, since the client would wait for the method for ever.
func (c *conn) send(channel uint16, m wire.Method) {
	err := c.out.add(func(dst []byte) ([]byte, error) { return wire.AppendMethod(dst, channel, m) })
	if err != nil {
		c.kill()
	}
}

// sendContent queues a method with its content, the body in frames of the size
// that the client agreed to. A content header cannot be split: properties that
// another client sent in larger frames go as they are.
func (c *conn) sendContent(channel uint16, m wire.Method, properties, body []byte) {
	err := c.out.add(func(dst []byte) ([]byte, error) {
		dst, err := wire.AppendMethod(dst, channel, m)
		if err != nil {
			return nil, err
		}
		dst = wire.AppendContentHeader(dst, channel, uint64(len(body)), properties)
		return wire.AppendBody(dst, channel, body, c.frameMax), nil
	})
	if err != nil {
		c.kill()
	}
}
