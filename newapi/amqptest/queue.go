package amqptest

import (
	"slices"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// queue holds messages and hands them to its consumers in turn.
type queue struct {
	vhost      *vhost
	name       string
	durable    bool
	autoDelete bool  // when the last consumer goes
	owner      *conn // of an exclusive queue
	arguments  newapi.Table
	policy     queuePolicy

	ready     entryList
	positions uint64 // given out so far
	unacked   int
	consumers []*consumer // by priority; whose turn it is comes first among equals

	deleted    bool
	expiry     *timer    // calls expire when the first message's time is over
	nextExpiry time.Time // what expiry is set to
	unused     *timer    // deletes the queue when its own time is over, by x-expires
}

// put adds a message. It reports false when the queue is full and refuses it.
func (q *queue) put(m *message) bool {
	p := &q.policy
	if p.rejects && p.exceededBy(q.ready.length+1, q.ready.bytes+len(m.body)) {
		if p.rejectsToDeadLetters {
			q.deadLetter(m, deadByLength)
		}
		return false
	}
	q.positions++
	e := &entry{message: m, position: q.positions, priority: min(m.priority, p.maxPriority)}
	if ttl := p.timeToLive(m); ttl != nil {
		e.expires = time.Now().Add(*ttl)
	}
	if q.ready.length == 0 { // else no consumer has room
		if c := q.turn(); c != nil {
			c.deliver(e) // even if it has no time at all
			return true
		}
	}
	q.ready.push(e)
	for !p.rejects && q.ready.length > 0 && p.exceededBy(q.ready.length, q.ready.bytes) {
		q.deadLetter(q.ready.pop().message, deadByLength)
	}
	q.expire()
	return true
}

// dispatch hands ready messages to consumers as long as one has room.
func (q *queue) dispatch() {
	for q.ready.length > 0 {
		if q.ready.head.expired(time.Now()) {
			q.expire()
			continue
		}
		c := q.turn()
		if c == nil {
			return
		}
		c.deliver(q.ready.pop())
	}
}

// turn returns the consumer that gets the next message, and puts it behind its
// equals; nil if none has room.
func (q *queue) turn() *consumer {
	for i, c := range q.consumers {
		if q.policy.singleActive && i > 0 {
			return nil
		}
		if !c.hasRoom() {
			continue
		}
		if !q.policy.singleActive {
			last := i
			for last+1 < len(q.consumers) && q.consumers[last+1].priority == c.priority {
				last++
			}
			copy(q.consumers[i:last], q.consumers[i+1:last+1])
			q.consumers[last] = c
		}
		return c
	}
	return nil
}

// expire drops the messages at the head whose time is over and sets the timer
// for the one that is at the head then. As with RabbitMQ's classic queues, a
// message that is not at the head yet stays until it is.
func (q *queue) expire() {
	now := time.Now()
	for q.ready.length > 0 && q.ready.head.expired(now) {
		q.deadLetter(q.ready.pop().message, deadByExpiry)
	}
	var next time.Time
	if q.ready.length > 0 {
		next = q.ready.head.expires
	}
	if next.Equal(q.nextExpiry) && (next.IsZero() || !q.expiry.isOver()) {
		return
	}
	q.expiry.stop()
	q.nextExpiry = next
	if !next.IsZero() {
		q.expiry = q.later(next.Sub(now), q.expire)
	}
}

// later is Server.after for as long as the queue and the server live.
func (q *queue) later(d time.Duration, f func()) *timer {
	if q.deleted || q.vhost.server.closed {
		return nil
	}
	return q.vhost.server.after(d, f)
}

// requeue gives deliveries back to the places they had, marked as redelivered.
func requeue(deliveries []*delivery) {
	var queues []*queue
	for _, d := range deliveries {
		q := d.queue
		if q.deleted {
			continue
		}
		d.entry.redelivered = true
		q.unacked--
		q.ready.giveBack(d.entry)
		if !slices.Contains(queues, q) {
			queues = append(queues, q)
		}
	}
	for _, q := range queues {
		q.dispatch()
		q.expire()
	}
}

// attach adds a consumer behind its equals.
func (q *queue) attach(c *consumer) {
	i := len(q.consumers)
	for i > 0 && q.consumers[i-1].priority < c.priority && !q.policy.singleActive {
		i--
	}
	q.consumers = slices.Insert(q.consumers, i, c)
	q.use()
}

// detach removes a consumer.
func (q *queue) detach(c *consumer) {
	i := slices.Index(q.consumers, c)
	if i < 0 {
		return
	}
	q.consumers = slices.Delete(q.consumers, i, i+1)
	q.use()
	q.dispatch() // with a single active consumer, the next one's time has come
}

// deleteIfUnused deletes a queue that was to go with its last consumer.
func (q *queue) deleteIfUnused() {
	if q.autoDelete && len(q.consumers) == 0 {
		q.delete()
	}
}

// use restarts the time after which the queue expires as unused.
func (q *queue) use() {
	q.unused.stop()
	if q.policy.expires != nil && len(q.consumers) == 0 {
		q.unused = q.later(*q.policy.expires, func() { q.delete() })
	}
}

// delete removes the queue with its bindings and messages and tells its
// consumers. It returns how many messages were ready.
func (q *queue) delete() int {
	if q.deleted {
		return 0
	}
	q.deleted = true
	q.stop()
	delete(q.vhost.queues, q.name)
	q.vhost.unbindEverywhere(func(b *binding) bool { return b.queue == q })
	messages := q.ready.length
	q.ready = entryList{}
	consumers := q.consumers
	q.consumers = nil
	for _, c := range consumers {
		c.channel.consumerGone(c)
	}
	return messages
}

// purge drops the ready messages and returns how many there were.
func (q *queue) purge() int {
	messages := q.ready.length
	q.ready = entryList{}
	q.expire()
	return messages
}

// stop cancels the queue's timers.
func (q *queue) stop() {
	q.expiry.stop()
	q.unused.stop()
}

// exclusiveConsumer reports whether a consumer has the queue to itself.
func (q *queue) exclusiveConsumer() bool {
	return slices.ContainsFunc(q.consumers, func(c *consumer) bool { return c.exclusive })
}

// newMessage reads from the properties what queues need to know of a message.
func newMessage(exchange, routingKey string, properties, body []byte) (*message, error) {
	m := &message{exchange: exchange, routingKey: routingKey, properties: properties, body: body}
	if priority, ok := wire.Property(properties, wire.FlagPriority); ok {
		m.priority = priority[0]
	}
	if expiration, ok := wire.Property(properties, wire.FlagExpiration); ok {
		ttl, err := parseExpiration(string(expiration))
		if err != nil {
			return nil, err
		}
		m.expiration = &ttl
	}
	return m, nil
}
