package amqptest

import (
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// consumer is one basic.consume.
type consumer struct {
	channel     *channel
	queue       *queue // nil for direct replies
	tag         string
	noAck       bool
	exclusive   bool
	priority    int64 // x-priority
	prefetch    int   // 0 is no limit
	outstanding int   // deliveries that are not settled
}

// delivery is a message that a client has and has not settled.
type delivery struct {
	tag      uint64
	queue    *queue
	entry    *entry
	consumer *consumer // nil after basic.get
}

// uniqueName returns a name that has not been given out before.
func uniqueName(prefix string) string {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		panic("amqptest: no random numbers: " + err.Error())
	}
	return prefix + base64.RawURLEncoding.EncodeToString(id[:])
}

func (ch *channel) qos(m *wire.BasicQos) error {
	if m.PrefetchSize != 0 {
		return connectionError(amqp091.NotImplemented, "prefetch_size!=0 (%d)", m.PrefetchSize)
	}
	if m.Global {
		ch.prefetch = int(m.PrefetchCount)
	} else {
		ch.consumerPrefetch = int(m.PrefetchCount)
	}
	ch.send(&wire.BasicQosOk{})
	ch.kick()
	return nil
}

func (ch *channel) consume(m *wire.BasicConsume) error {
	tag := m.ConsumerTag
	if tag == "" {
		tag = uniqueName("amq.ctag-")
	}
	if ch.consumers[tag] != nil {
		return connectionError(amqp091.NotAllowed, "attempt to reuse consumer tag '%s'", tag)
	}
	if m.Queue == replyQueue {
		return ch.consumeReplies(m, tag)
	}
	q, err := ch.queue(m.Queue)
	if err != nil {
		return err
	}
	if q.exclusiveConsumer() || m.Exclusive && len(q.consumers) > 0 {
		return channelError(amqp091.AccessRefused, "queue '%s' in vhost '%s' in exclusive use", q.name, q.vhost.name)
	}
	c := &consumer{
		channel:   ch,
		queue:     q,
		tag:       tag,
		noAck:     m.NoAck,
		exclusive: m.Exclusive,
		prefetch:  ch.consumerPrefetch,
	}
	if priority, ok := m.Arguments["x-priority"]; ok {
		if c.priority, err = readInteger(priority); err != nil {
			return q.vhost.invalidArgument("x-priority", q.name, err)
		}
	}
	ch.consumers[tag] = c
	ch.reply(m.NoWait, &wire.BasicConsumeOk{ConsumerTag: tag})
	q.attach(c)
	q.dispatch()
	return nil
}

func (ch *channel) cancel(m *wire.BasicCancel) error {
	c := ch.consumers[m.ConsumerTag]
	delete(ch.consumers, m.ConsumerTag)
	ch.reply(m.NoWait, &wire.BasicCancelOk{ConsumerTag: m.ConsumerTag})
	switch {
	case c == nil:
	case c.queue == nil:
		ch.endReplies()
	default:
		c.queue.detach(c)
		c.queue.deleteIfUnused()
	}
	return nil
}

// consumerGone takes note that the queue of a consumer was deleted, and tells
// a client that asked to be told.
func (ch *channel) consumerGone(c *consumer) {
	if ch.consumers[c.tag] != c {
		return
	}
	delete(ch.consumers, c.tag)
	if ch.conn.cancelNotify {
		ch.send(&wire.BasicCancel{ConsumerTag: c.tag, NoWait: true})
	}
}

// queueConsumers returns the consumers of queues by tag.
func (ch *channel) queueConsumers() []*consumer {
	consumers := make([]*consumer, 0, len(ch.consumers))
	for _, c := range ch.consumers {
		if c.queue != nil {
			consumers = append(consumers, c)
		}
	}
	slices.SortFunc(consumers, func(a, b *consumer) int { return strings.Compare(a.tag, b.tag) })
	return consumers
}

// kick hands out what the channel's consumers could not take before.
func (ch *channel) kick() {
	for _, c := range ch.queueConsumers() {
		c.queue.dispatch()
		c.queue.expire()
	}
}

// hasRoom reports whether the consumer takes another message now.
func (c *consumer) hasRoom() bool {
	ch := c.channel
	if !c.noAck && (c.prefetch > 0 && c.outstanding >= c.prefetch || ch.prefetch > 0 && ch.outstanding >= ch.prefetch) {
		return false
	}
	return !ch.conn.out.full()
}

// deliver sends a message to the consumer.
func (c *consumer) deliver(e *entry) {
	ch := c.channel
	ch.lastTag++
	if !c.noAck {
		c.outstanding++
		ch.outstanding++
		c.queue.unacked++
		ch.unacked = append(ch.unacked, &delivery{tag: ch.lastTag, queue: c.queue, entry: e, consumer: c})
	}
	ch.conn.sendContent(ch.id, &wire.BasicDeliver{
		ConsumerTag: c.tag,
		DeliveryTag: ch.lastTag,
		Redelivered: e.redelivered,
		Exchange:    e.exchange,
		RoutingKey:  e.routingKey,
	}, e.properties, e.body)
}

func (ch *channel) get(m *wire.BasicGet) error {
	q, err := ch.queue(m.Queue)
	if err != nil {
		return err
	}
	q.use()
	q.expire()
	if q.ready.length == 0 {
		ch.send(&wire.BasicGetEmpty{})
		return nil
	}
	e := q.ready.pop()
	q.expire()
	ch.lastTag++
	if !m.NoAck {
		q.unacked++
		ch.unacked = append(ch.unacked, &delivery{tag: ch.lastTag, queue: q, entry: e})
	}
	ch.conn.sendContent(ch.id, &wire.BasicGetOk{
		DeliveryTag:  ch.lastTag,
		Redelivered:  e.redelivered,
		Exchange:     e.exchange,
		RoutingKey:   e.routingKey,
		MessageCount: uint32(q.ready.length),
	}, e.properties, e.body)
	return nil
}
