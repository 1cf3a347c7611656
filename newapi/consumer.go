package newapi

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
)

// consumer is where the reader puts the deliveries of one consumer tag: a
// chanConsumer or a funcConsumer. Neither ever makes the reader wait.
type consumer interface {
	tag() string
	// finish says that nothing more will come.
	finish()
}

// put hands a delivery to c, which copies it. It reports false, and drops it, if
// what is unread already exceeds limit; a limit of 0 or less is none. It calls c by
// its type, and not through the interface, so that d stays on the caller's stack.
func put(c consumer, d *Delivery, limit int64) bool {
	if c, ok := c.(*funcConsumer); ok {
		return c.put(d, limit)
	}
	return c.(*chanConsumer).put(d, limit)
}

// consumerChan is the capacity of a consumer's chan. A delivery that finds room
// in it reaches its receiver without another goroutine in between.
const consumerChan = 128

// chanConsumer feeds a chan. Its patience ends with the channel: what was not
// received by then cannot be acknowledged any more.
type chanConsumer struct {
	feed[Delivery]
	channel *Channel
	name    string
	stop    func() bool // of the context that ends the consumer; may be nil

	// What the chan itself holds: the sizes of what went into it last, of which
	// the last len(out) are there still. held counts in channel.unread.
	sizesMu sync.Mutex
	sizes   [consumerChan]int64
	entries int
	held    int64
	over    bool // what the chan holds does not count any more
}

func newChanConsumer(ch *Channel, name string) *chanConsumer {
	c := &chanConsumer{channel: ch, name: name, feed: feed[Delivery]{
		out:  make(chan Delivery, consumerChan),
		quit: ch.done,
	}}
	c.taken = func(d Delivery) { c.entered(deliverySize(&d)) }
	return c
}

func (c *chanConsumer) tag() string { return c.name }

func (c *chanConsumer) put(d *Delivery, limit int64) bool {
	ch := c.channel
	if limit > 0 && ch.unread.Load() > limit {
		if ch.recount(); ch.unread.Load() > limit {
			return false
		}
	}
	size := deliverySize(d)
	ch.unread.Add(size) // before send: it may be taken at once
	if !c.send(*d, 0) {
		c.entered(size)
	}
	return true
}

// entered notes that a delivery of this size has gone into the chan, which pushes
// the oldest noted one out of it.
func (c *chanConsumer) entered(size int64) {
	c.sizesMu.Lock()
	defer c.sizesMu.Unlock()
	if c.over {
		c.channel.unread.Add(-size)
		return
	}
	oldest := &c.sizes[c.entries%consumerChan]
	c.held += size - *oldest
	c.channel.unread.Add(-*oldest)
	*oldest = size
	c.entries++
}

// count takes what has been received since off what counts as unread.
func (c *chanConsumer) count() {
	c.sizesMu.Lock()
	defer c.sizesMu.Unlock()
	held := int64(0)
	for i, inChan := 1, len(c.out); i <= consumerChan && i <= c.entries; i++ {
		size := &c.sizes[(c.entries-i)%consumerChan]
		if i > inChan {
			*size = 0
		}
		held += *size
	}
	c.channel.unread.Add(held - c.held)
	c.held = held
}

// recount asks the consumers what their chans still hold.
func (ch *Channel) recount() {
	ch.consumersMu.Lock()
	defer ch.consumersMu.Unlock()
	for _, c := range ch.consumers {
		if c, ok := c.(*chanConsumer); ok {
			c.count()
		}
	}
}

func (c *chanConsumer) finish() {
	if c.stop != nil {
		c.stop()
	}
	c.sizesMu.Lock()
	c.channel.unread.Add(-c.held)
	c.held, c.over = 0, true
	c.sizesMu.Unlock()
	c.feed.finish()
}

// funcConsumer holds deliveries for the goroutine that runs ConsumeFunc, which
// takes all there are at once.
type funcConsumer struct {
	channel *Channel
	name    string

	mu       sync.Mutex
	inbox    []Delivery
	finished bool
	asleep   bool
	wake     chan struct{} // capacity 1
}

func (c *funcConsumer) tag() string { return c.name }

func (c *funcConsumer) put(d *Delivery, limit int64) bool {
	if limit > 0 && c.channel.unread.Load() > limit {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finished {
		return true
	}
	c.channel.unread.Add(deliverySize(d))
	c.inbox = append(c.inbox, *d)
	c.rouse()
	return true
}

func (c *funcConsumer) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finished = true
	c.rouse()
}

func (c *funcConsumer) rouse() {
	if c.asleep {
		c.asleep = false
		c.wake <- struct{}{}
	}
}

// countedAtOnce is about how many octets a funcConsumer handles before it says so.
const countedAtOnce = 16 << 10

// take returns what has arrived, waiting for it; ok is false at the end. spare is
// a slice to use next.
func (c *funcConsumer) take(spare []Delivery) (batch []Delivery, ok bool) {
	for {
		c.mu.Lock()
		if len(c.inbox) > 0 {
			batch, c.inbox = c.inbox, spare[:0]
			c.mu.Unlock()
			return batch, true
		}
		if c.finished {
			c.mu.Unlock()
			return nil, false
		}
		c.asleep = true
		c.mu.Unlock()
		<-c.wake
	}
}

// abandon empties the inbox and returns what it held.
func (c *funcConsumer) abandon() []Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	inbox := c.inbox
	c.inbox, c.finished = nil, true
	return inbox
}

var consumerCount atomic.Uint64

// newConsumerTag makes a tag that is unique in the process and tells an operator
// which program it is.
func newConsumerTag() string {
	program := filepath.Base(os.Args[0])
	return "ctag-" + program[:min(len(program), 200)] + "-" + strconv.FormatUint(consumerCount.Add(1), 10)
}

// ConsumeFunc consumes a queue on the calling goroutine: it calls handle for one
// delivery after the other until ctx ends, the consumer is cancelled by either
// side, or the channel ends. Without a chan between the connection and handle it
// costs about half of what Consume does. Parameters are Consume's; handle must
// acknowledge unless autoAck is set, may use the channel, and holds up this
// consumer only while it runs.
//
// When ctx ends, the consumer is cancelled, what has arrived by then is still
// handled, and ConsumeFunc returns ctx.Err(). When the channel ends with an error
// it returns that *Error, and nil in the other cases; what has arrived is then
// handled with autoAck only: the rest can no longer be acknowledged.
//
// When handle panics, the consumer is cancelled, what handle was given and has not
// answered is requeued together with what had arrived after it, and then the panic
// goes on to the caller. A late answer to a delivery that was requeued so is an
// error, and nothing is sent. With autoAck the broker has let go of them: what had
// arrived is lost.
func (ch *Channel) ConsumeFunc(ctx context.Context, queue, consumer string, autoAck, exclusive, noLocal bool, args Table, handle func(Delivery)) error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	ctx = orBackground(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	if consumer == "" {
		consumer = newConsumerTag()
	}
	c := &funcConsumer{channel: ch, name: consumer, wake: make(chan struct{}, 1)}
	if err := ch.subscribe(c, queue, autoAck, exclusive, noLocal, false, args); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = ch.cancel(consumer, c, false) })
	defer stop()
	if !autoAck {
		ch.handed.use()
		defer ch.handed.forget(c)
	}
	var batch []Delivery
	next := 0 // of batch
	counted := 0
	returned := false
	defer func() {
		if !returned {
			ch.giveBack(c, autoAck, batch[next:], batch[counted:])
		}
	}()
	for {
		clear(batch)
		var ok bool
		batch, ok = c.take(batch)
		if next, counted = 0, 0; !ok {
			break
		}
		handled := int64(0)
		for i := range batch {
			next = i + 1
			// The reader counts on another processor: meet it seldom.
			if handled += deliverySize(&batch[i]); handled >= countedAtOnce || next == len(batch) {
				ch.unread.Add(-handled)
				counted, handled = next, 0
			}
			switch {
			case autoAck:
				handle(batch[i])
			case !ch.closed.Load(): // else the broker delivers it again, as it cannot be acknowledged any more
				ch.handed.add(batch[i].DeliveryTag, c)
				handle(batch[i])
			}
		}
	}
	returned = true
	if reason := ch.reason.Load(); reason != nil {
		return reason
	}
	return ctx.Err()
}

// giveBack ends a consumer whose handler panics. rest is what the handler was not
// given of what it took, uncounted what of that counts as unread.
func (ch *Channel) giveBack(c *funcConsumer, autoAck bool, rest, uncounted []Delivery) {
	// The broker's answer is awaited, so that nothing can come after it.
	_ = ch.cancel(c.name, c, false)
	inbox := c.abandon()
	octets := int64(0)
	for _, unread := range [][]Delivery{uncounted, inbox} {
		for i := range unread {
			octets += deliverySize(&unread[i])
		}
	}
	ch.unread.Add(-octets)
	if autoAck {
		return
	}
	tags := ch.handed.takeBack(c)
	for _, waiting := range [][]Delivery{rest, inbox} {
		for i := range waiting {
			tags = append(tags, waiting[i].DeliveryTag)
		}
	}
	ch.requeue(tags)
}
