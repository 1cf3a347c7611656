package newapi

import (
	"context"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// DeferredConfirmation is the future of one publish on a channel in confirm
// mode. On a channel that is not in confirm mode BasicPublishDeferred returns a
// nil *DeferredConfirmation: every method works on it, waits for nothing and
// reports no failure, though nothing was confirmed. That it is nil is how to tell a
// forgotten Channel.Confirm.
//
// All methods are safe for concurrent use. A copy is the same future. The zero
// value is the future of no publish, and is never settled.
type DeferredConfirmation struct {
	// DeliveryTag counts the publishes of the channel from 1, from the moment it
	// entered confirm mode.
	DeliveryTag uint64

	done    chan struct{}
	outcome *outcome
}

// outcome is what becomes of a publish. It lies apart from what a user may copy
// meanwhile, and in one piece of memory with it.
type outcome struct {
	future   DeferredConfirmation
	result   error          // valid once future.done is closed
	returned *ReturnedError // set before the ack; guarded by confirms.mu
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done is closed when the broker has settled the publish, or when the channel
// ended before it could. On a nil confirmation it is closed from the start.
func (d *DeferredConfirmation) Done() <-chan struct{} {
	if d == nil {
		return closedChan
	}
	return d.done
}

// Acked reports, without waiting, whether the broker has acknowledged the
// publish. It is false while the publish is outstanding, when it was refused,
// and when the channel ended first. A message that came back as unroutable is
// acknowledged too, as the protocol has it; Result tells it apart.
//
// On a nil confirmation, that of a channel that is not in confirm mode, it is
// true at once: nothing was confirmed.
func (d *DeferredConfirmation) Acked() bool {
	if d == nil {
		return true
	}
	select {
	case <-d.done:
		return d.acked()
	default:
		return false
	}
}

// acked is valid once done is closed.
func (d *DeferredConfirmation) acked() bool {
	if d.outcome.result == nil {
		return true
	}
	_, returned := d.outcome.result.(*ReturnedError)
	return returned
}

// Wait blocks until the publish is settled and reports whether the broker
// acknowledged it.
//
// On a nil confirmation, that of a channel that is not in confirm mode, it
// returns true at once: nothing was confirmed.
func (d *DeferredConfirmation) Wait() bool {
	if d == nil {
		return true
	}
	<-d.done
	return d.acked()
}

// WaitContext is Wait with a bound: if ctx ends first, it returns false and
// ctx.Err(). On a nil confirmation it returns true and nil at once, whatever ctx
// says: nothing was confirmed.
func (d *DeferredConfirmation) WaitContext(ctx context.Context) (bool, error) {
	if d == nil {
		return true, nil
	}
	ctx = orBackground(ctx)
	select {
	case <-d.done:
		return d.acked(), nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// Result waits until the publish is settled and tells how: nil when the broker
// took the message, ErrNacked when it refused it, a *ReturnedError when it sent
// an unroutable mandatory message back, an error that is ErrLost when the
// channel or connection ended first. If ctx ends before that it returns
// ctx.Err() and the publish stays outstanding.
//
// On a nil confirmation, that of a channel that is not in confirm mode, it
// returns nil at once: nothing was confirmed.
func (d *DeferredConfirmation) Result(ctx context.Context) error {
	if d == nil {
		return nil
	}
	ctx = orBackground(ctx)
	select {
	case <-d.done:
		return d.outcome.result
	case <-ctx.Done():
		return ctx.Err()
	}
}

// confirms tracks the publishes of one channel in confirm mode. Its lock is a
// leaf but for the listeners': nothing is waited for while it is held, so that
// settling never depends on a publisher that waits for the socket.
type confirms struct {
	mu        sync.Mutex
	lowest    uint64 // the lowest tag that NotifyPublish has not been told of
	next      uint64 // the tag of the next publish
	ring      []confirmEntry
	mandatory map[uint64][]uint64 // message hash -> unsettled, unreturned tags, ascending
	closed    bool

	limit     int    // of unsettled and reserved together; 0: none
	span      uint64 // limit of the tags in ring and those reserved together
	unsettled int
	reserved  int             // places of publishes that have no tag yet
	queue     []chan struct{} // who waits for a place, first come, first served
	crowded   atomic.Bool     // ring holds as many tags as span allows

	listeners listeners[Confirmation] // told in tag order
	returns   *listeners[Return]      // told of a return before its confirmation is told
}

const (
	// confirmSpan bounds how far the newest tag may be ahead of the oldest one that
	// is not settled, and with it the ring: 24 octets for each.
	confirmSpan = 1 << 20
	// retainedRing is the longest ring kept when nothing is outstanding.
	retainedRing = 1 << 12
)

type confirmEntry struct {
	deferred  *DeferredConfirmation // nil for a plain publish
	hash      uint64                // of a mandatory message
	mandatory bool
	state     confirmState
}

type confirmState uint8

const (
	outstanding confirmState = iota
	acked
	nacked
)

var hashSeed = maphash.MakeSeed()

// hashMessage identifies a mandatory message by what basic.return repeats of it.
func hashMessage(exchange, routingKey string, body []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.WriteString(exchange)
	h.WriteByte(0)
	h.WriteString(routingKey)
	h.WriteByte(0)
	h.Write(body)
	return h.Sum64()
}

func (c *confirms) entry(tag uint64) *confirmEntry {
	return &c.ring[tag&uint64(len(c.ring)-1)]
}

// publish assigns the next tag. The writer calls it in the critical section that
// orders the message's bytes, so tags follow the wire.
func (c *confirms) publish(m *EncodedMessage) *DeferredConfirmation {
	var hash uint64
	mandatory := m.Flags&(Mandatory|Immediate) != 0
	if mandatory {
		hash = hashMessage(m.Exchange, m.RoutingKey, m.Body)
	}
	var d *DeferredConfirmation
	if m.Deferred {
		o := &outcome{future: DeferredConfirmation{done: make(chan struct{})}}
		o.future.outcome = o
		d = &o.future
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == 0 {
		c.next, c.lowest = 1, 1
	}
	tag := c.next
	c.next++
	if int(c.next-c.lowest) > len(c.ring) {
		c.grow()
	}
	*c.entry(tag) = confirmEntry{deferred: d, hash: hash, mandatory: mandatory}
	c.unsettled++
	if m.reserved {
		c.reserved--
	}
	if c.next-c.lowest >= c.span {
		c.crowded.Store(true)
	}
	if mandatory {
		if c.mandatory == nil {
			c.mandatory = make(map[uint64][]uint64)
		}
		c.mandatory[hash] = append(c.mandatory[hash], tag)
	}
	if d != nil {
		d.DeliveryTag = tag
	}
	return d
}

func (c *confirms) grow() {
	old := c.ring
	c.ring = make([]confirmEntry, max(64, 2*len(old)))
	for tag := c.lowest; tag < c.next-1; tag++ {
		*c.entry(tag) = old[tag&uint64(len(old)-1)]
	}
}

// isBounded reports whether a publish has to reserve a place now.
func (c *confirms) isBounded() bool { return c.limit > 0 || c.crowded.Load() }

// hasRoom reports whether there is a place to reserve.
func (c *confirms) hasRoom() bool {
	return (c.limit <= 0 || c.unsettled+c.reserved < c.limit) && c.next-c.lowest+uint64(c.reserved) < c.span
}

// reserve waits for one of the places that limit and span allow. publish takes it,
// or unreserve gives it back.
func (c *confirms) reserve(ctx context.Context, timeout time.Duration) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return ErrClosed
	}
	if len(c.queue) == 0 && c.hasRoom() {
		c.reserved++
		c.mu.Unlock()
		return nil
	}
	place := make(chan struct{}, 1)
	c.queue = append(c.queue, place)
	c.mu.Unlock()

	var expired <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		expired = timer.C
	}
	var err error
	select {
	case _, ok := <-place:
		if !ok {
			return ErrClosed
		}
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-expired:
		err = ErrPublishTimeout
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, waiting := range c.queue {
		if waiting == place {
			c.queue = append(c.queue[:i], c.queue[i+1:]...)
			return err
		}
	}
	if !c.closed { // it was given a place at the last moment
		c.reserved--
		c.admit()
	}
	return err
}

// A publish that got its tag and then failed, as the connection did, has no place
// any more.
func (c *confirms) unreserve() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reserved = max(c.reserved-1, 0)
	c.admit()
}

// admit gives free places to those in line.
func (c *confirms) admit() {
	for len(c.queue) > 0 && c.hasRoom() {
		c.reserved++
		c.queue[0] <- struct{}{}
		c.queue = c.queue[1:]
	}
}

// nextTag is the tag that the next publish will get.
func (c *confirms) nextTag() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.next, 1)
}

// returned attributes a basic.return to the lowest unsettled mandatory publish
// of the same message. The broker sends no tag with it.
func (c *confirms) returned(r Return) {
	hash := hashMessage(r.Exchange, r.RoutingKey, r.Body)
	c.mu.Lock()
	defer c.mu.Unlock()
	tags := c.mandatory[hash]
	if len(tags) == 0 {
		return
	}
	c.forget(hash, 0)
	e := c.entry(tags[0])
	e.mandatory = false
	if e.deferred != nil {
		e.deferred.outcome.returned = &ReturnedError{Return: r}
	}
}

// forget drops the i-th tag of a hash.
func (c *confirms) forget(hash uint64, i int) {
	tags := c.mandatory[hash]
	switch {
	case len(tags) == 1:
		delete(c.mandatory, hash)
	case i == 0:
		c.mandatory[hash] = tags[1:]
	default:
		c.mandatory[hash] = append(tags[:i], tags[i+1:]...)
	}
}

// confirm settles one tag, or all up to it, and tells the listeners in tag order.
// A tag that is not outstanding is ignored, as in amqp091-go.
func (c *confirms) confirm(tag uint64, multiple, ack bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lowest == c.next || tag >= c.next { // nothing is outstanding, or not this
		return
	}
	first := tag
	if multiple {
		first = c.lowest
		if tag == 0 { // AMQP 0-9-1, basic.ack delivery-tag: zero means all so far
			tag = c.next - 1
		}
	}
	state, result := acked, error(nil)
	if !ack {
		state, result = nacked, ErrNacked
	}
	for t := max(first, c.lowest); t <= tag; t++ {
		if e := c.entry(t); e.state == outstanding {
			c.settle(e, t, result)
			e.state = state
		}
	}
	after := c.returns.marks(nil)
	for c.lowest < c.next && c.entry(c.lowest).state != outstanding {
		confirmation := Confirmation{DeliveryTag: c.lowest, Ack: c.entry(c.lowest).state == acked}
		c.listeners.sendAfter(confirmation, 0, after)
		c.lowest++
	}
	if c.next-c.lowest < c.span {
		c.crowded.Store(false)
		c.admit()
	}
	if c.lowest == c.next && len(c.ring) > retainedRing {
		c.ring = nil
	}
}

// settle ends one future. A message that was returned first ends as returned,
// unless the broker refused it or it was lost.
func (c *confirms) settle(e *confirmEntry, tag uint64, result error) {
	c.unsettled--
	c.admit()
	if e.mandatory {
		for i, t := range c.mandatory[e.hash] {
			if t == tag {
				c.forget(e.hash, i)
				break
			}
		}
		e.mandatory = false
	}
	if d := e.deferred; d != nil {
		if o := d.outcome; result == nil && o.returned != nil {
			result = o.returned
		}
		d.outcome.result = result
		e.deferred = nil
		close(d.done)
	}
}

// close ends every outstanding future as lost and closes the listeners.
func (c *confirms) close(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	lost := error(&lostError{reason})
	for t := c.lowest; t < c.next; t++ {
		if e := c.entry(t); e.state == outstanding {
			c.settle(e, t, lost)
		}
	}
	c.ring, c.mandatory = nil, nil
	c.lowest = c.next
	for _, place := range c.queue {
		close(place)
	}
	c.queue = nil
	c.listeners.close()
}
