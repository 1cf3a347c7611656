package newapi

import (
	"errors"
	"fmt"
	"io"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// readBuffer is how much is asked of the transport at once.
const readBuffer = 64 << 10

// read is the reader goroutine: it takes frames apart and hands them to the
// channels. It never waits for anything but the transport.
func (c *Connection) read() {
	defer close(c.readerDone)
	err := c.readFrames(c.conn)
	if e, ok := err.(*Error); ok {
		// The broker broke the protocol: tell it, as far as it still listens.
		c.hangUpWith(&wire.ConnectionClose{ReplyCode: uint16(e.Code), ReplyText: shortReason(e.Reason)}, e)
		return
	}
	c.end(asError(FrameError, err))
}

// shortReason fits a reply text.
func shortReason(s string) string { return s[:min(len(s), 255)] }

// readFrames returns the error that ended it, never nil. Frames are parsed where
// they lie in the buffer; what outlives the call of frame is copied there.
func (c *Connection) readFrames(r io.Reader) error {
	buf := make([]byte, readBuffer)
	start, end := 0, 0
	for {
		for start < end {
			f, n, err := wire.ParseFrame(buf[start:end], int(c.frameMax.Load()))
			if err != nil {
				return protocolError(err)
			}
			if n == 0 {
				break
			}
			start += n
			if err := c.frame(f); err != nil {
				return protocolError(err)
			}
		}
		switch {
		case start == end:
			start, end = 0, 0
		case start > 0 && len(buf)-end < len(buf)/4:
			end = copy(buf, buf[start:end])
			start = 0
		}
		if end == len(buf) {
			// One frame fills the buffer. ParseFrame has checked its size against
			// frame_max; without a limit the buffer grows with what arrives.
			buf = append(buf, make([]byte, len(buf))...)
		}
		n, err := r.Read(buf[end:])
		end += n
		c.octets.Add(uint64(n))
		if n == 0 && err != nil {
			return err
		}
	}
}

// frame dispatches one frame. An error ends the connection.
func (c *Connection) frame(f wire.Frame) error {
	if f.Type == wire.FrameHeartbeat {
		return nil
	}
	if f.Channel == 0 {
		if f.Type != wire.FrameMethod {
			return fmt.Errorf("%w: content frame on channel 0", ErrUnexpectedFrame)
		}
		m, err := wire.ParseMethod(f.Payload)
		if err != nil {
			return err
		}
		return c.method(m)
	}
	ch := c.channel(f.Channel)
	if ch == nil {
		if c.closed.Load() {
			return nil
		}
		return c.stray(f)
	}
	switch f.Type {
	case wire.FrameMethod:
		return ch.methodFrame(f.Payload)
	case wire.FrameHeader:
		return ch.headerFrame(f.Payload)
	default:
		return ch.bodyFrame(f.Payload)
	}
}

// method handles a method on channel 0.
func (c *Connection) method(m wire.Method) error {
	switch m := m.(type) {
	case *wire.ConnectionClose:
		c.hungUp(m)
	case *wire.ConnectionBlocked:
		c.writer.setBlocked(true)
		c.blocks.send(Blocking{Active: true, Reason: m.Reason})
	case *wire.ConnectionUnblocked:
		c.writer.setBlocked(false)
		c.blocks.send(Blocking{Active: false})
	case *wire.ConnectionCloseOk:
		switch hangingUp, byBroker := c.hangUps(); {
		case byBroker: // the connection ends with the broker's reason
		case !hangingUp:
			return fmt.Errorf("%w: %v on channel 0", ErrCommandInvalid, m.ID())
		default:
			c.end(nil) // here, before the broker's closing of the transport can look like a fault
		}
	default:
		if c.calls.deliver(m) {
			return nil
		}
		if hangingUp, _ := c.hangUps(); !hangingUp {
			return fmt.Errorf("%w: %v on channel 0", ErrCommandInvalid, m.ID())
		}
	}
	return nil
}

// hangUps reports whether either side has begun to close the connection, when
// answers that cross the close are no fault, and whether the broker has.
func (c *Connection) hangUps() (begun, byBroker bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hangingUp, c.closeError != nil
}

// stray handles a frame for a channel that is not open: a close is answered, what
// was under way when the channel ended is dropped.
func (c *Connection) stray(f wire.Frame) error {
	if f.Type != wire.FrameMethod {
		return nil
	}
	id, _, err := wire.ParseMethodID(f.Payload)
	if err != nil {
		return err
	}
	switch id {
	case wire.IDChannelClose:
		_ = c.writer.control(f.Channel, &wire.ChannelCloseOk{}) // refused when the connection is closing
		return nil
	case wire.IDChannelCloseOk:
		return nil
	}
	return fmt.Errorf("%w: %v on channel %d, which is not open", ErrUnexpectedFrame, id, f.Channel)
}

// protocolError makes an *Error of what a decoder says, with the reply code that
// the specification has for it.
func protocolError(err error) error {
	if e, ok := err.(*Error); ok {
		return e
	}
	for _, known := range []struct {
		is   error
		code int
	}{
		{wire.ErrFrame, FrameError},
		{wire.ErrFrameTooLarge, FrameError},
		{wire.ErrSyntax, SyntaxError},
		{wire.ErrUnknownMethod, CommandInvalid},
		{ErrUnexpectedFrame, UnexpectedFrame},
		{ErrCommandInvalid, CommandInvalid},
	} {
		if errors.Is(err, known.is) {
			return &Error{Code: known.code, Reason: err.Error()}
		}
	}
	return err
}
