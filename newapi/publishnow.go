package newapi

import (
	"context"
	"fmt"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// publishNow publishes properties of this package's own on ch where there is
// nothing to wait for. They are encoded right into the pending buffer, which no
// foreign code can see; those with a method of the caller's are encoded before any
// lock is taken. It reports false, with nothing done, if the message has to take
// the long way.
func (ch *Channel) publishNow(ctx context.Context, m *EncodedMessage, p *BasicProperties) (d *DeferredConfirmation, done bool, err error) {
	if ch == nil || ch.conn == nil || len(m.Body) >= largeBody || ctx.Err() != nil {
		return nil, false, nil
	}
	w := ch.conn.writer
	if w.shared.Load() { // there is a crowd: to look first only costs it the lock
		return nil, false, nil
	}
	// Without defer: a transport of the user's own that panics in its Write does so
	// while the lock is not held.
	w.mu.Lock()
	d, done, err = w.publishNow(ch, m, p)
	w.mu.Unlock()
	return d, done, err
}

// publishNow is the part of Channel.publishNow for which the lock is held. It is
// released while the message is written.
func (w *writer) publishNow(ch *Channel, m *EncodedMessage, p *BasicProperties) (d *DeferredConfirmation, done bool, err error) {
	if w.refusal(ch) != nil || ch.confirming.Load() && ch.confirms.isBounded() {
		return nil, false, nil
	}
	if w.isDoneAtAdmission(ch, m) {
		if w.isFull() {
			return nil, false, nil
		}
		d, err = w.appendOwn(ch, m, p)
		w.nudge()
		return d, true, err
	}
	if w.isTaken() {
		return nil, false, nil
	}
	if d, err = w.appendOwn(ch, m, p); err != nil {
		return nil, true, err
	}
	w.busy = true
	if err = w.writePending(); err != nil {
		return nil, true, err
	}
	return d, true, nil
}

// appendOwn is append for properties that are not encoded yet.
func (w *writer) appendOwn(ch *Channel, m *EncodedMessage, p *BasicProperties) (*DeferredConfirmation, error) {
	dst, err := wire.AppendBasicPublish(w.pending, ch.id, m.Exchange, m.RoutingKey, m.Flags&Mandatory != 0, m.Flags&Immediate != 0)
	if err != nil {
		return nil, err
	}
	frame := len(dst)
	dst = wire.BeginContentHeader(dst, ch.id, uint64(len(m.Body)))
	if dst, err = p.appendHeader(dst); err != nil {
		return nil, err
	}
	if err := ch.checkFrame(len(dst) - frame + 1); err != nil {
		return nil, err
	}
	dst = wire.EndFrame(dst, frame)
	w.pending = wire.AppendBody(dst, ch.id, m.Body, w.frameMax)
	return ch.published(m), nil
}

// checkFrame refuses a content header whose whole frame has size octets if the
// connection does not take such frames.
func (ch *Channel) checkFrame(size int) error {
	if limit := ch.conn.Config.FrameSize; limit > 0 && size > limit {
		return fmt.Errorf("newapi: the properties need a frame of %d octets, but the connection's frame_max is %d; move headers into the body", size, limit)
	}
	return nil
}
