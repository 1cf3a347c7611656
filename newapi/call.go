package newapi

import (
	"fmt"
	"sync"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// caller pairs the requests of one channel with the broker's answers. Calls on a
// channel are carried out one after the other, as the protocol has no request
// ids (AMQP 0-9-1 section 2.2.2).
type caller struct {
	turn sync.Mutex // held by whoever has a call under way

	mu     sync.Mutex
	wanted []wire.MethodID
	answer chan wire.Method // capacity 1
	ended  chan struct{}
	reason *Error
	isOver bool
}

func (c *caller) init() { c.ended = make(chan struct{}) }

// expect announces which methods answer the next request. It comes before the
// request is sent.
func (c *caller) expect(ids ...wire.MethodID) <-chan wire.Method {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted = ids
	c.answer = make(chan wire.Method, 1)
	return c.answer
}

// forget withdraws an expectation whose request was not sent.
func (c *caller) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted, c.answer = nil, nil
}

// deliver hands an answer over. It reports false for a method nobody asked for.
func (c *caller) deliver(m wire.Method) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range c.wanted {
		if id == m.ID() {
			c.answer <- m
			c.wanted, c.answer = nil, nil
			return true
		}
	}
	return false
}

// await returns the answer, or why there will be none.
func (c *caller) await(answer <-chan wire.Method) (wire.Method, error) {
	select {
	case m := <-answer:
		return m, nil
	case <-c.ended:
	}
	select {
	case m := <-answer: // it came just before the end
		return m, nil
	default:
	}
	if c.reason != nil {
		return nil, c.reason
	}
	return nil, ErrClosed
}

// end makes every call, now and later, fail with reason, or with ErrClosed if it
// is nil.
func (c *caller) end(reason *Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isOver {
		return
	}
	c.isOver = true
	c.reason = reason
	close(c.ended)
}

func (c *caller) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isOver
}

// call sends a request of the handshake, which no frame_max is agreed for yet, and
// waits for its answer.
func (c *Connection) call(request wire.Method, answers ...wire.MethodID) (wire.Method, error) {
	return c.calls.call(c.writer, nil, 0, request, answers)
}

// call sends a request on the channel and waits for its answer.
func (ch *Channel) call(request wire.Method, answers ...wire.MethodID) (wire.Method, error) {
	if ch == nil || ch.conn == nil {
		return nil, ErrClosed
	}
	return ch.calls.call(ch.conn.writer, ch, ch.conn.Config.FrameSize, request, answers)
}

// cast sends a request that has no answer, or none that was asked for.
func (ch *Channel) cast(request wire.Method) error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	return ch.conn.writer.send(ch, encodeMethod(ch.id, request, ch.conn.Config.FrameSize))
}

// call sends a request on ch, or on channel 0 if that is nil, in a frame of up to
// frameMax octets, 0 being no limit, and waits for its answer.
func (c *caller) call(w *writer, ch *Channel, frameMax int, request wire.Method, answers []wire.MethodID) (wire.Method, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.over() {
		return nil, ErrClosed
	}
	var id uint16
	if ch != nil {
		id = ch.id
	}
	answer := c.expect(answers...)
	if err := w.send(ch, encodeMethod(id, request, frameMax)); err != nil {
		c.forget()
		if c.over() && c.reason != nil {
			return nil, c.reason
		}
		return nil, err
	}
	return c.await(answer)
}

// encodeMethod appends a method, and refuses one that no frame of the negotiated
// size holds: the broker would close the connection over it.
func encodeMethod(channel uint16, m wire.Method, frameMax int) func(dst []byte) ([]byte, error) {
	return func(dst []byte) ([]byte, error) {
		out, err := wire.AppendMethod(dst, channel, m)
		if size := len(out) - len(dst); err == nil && frameMax > 0 && size > frameMax {
			return dst, fmt.Errorf("newapi: %v needs a frame of %d octets, but the connection's frame_max is %d", m.ID(), size, frameMax)
		}
		return out, err
	}
}
