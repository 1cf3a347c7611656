package amqptest

import (
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// queueName expands the empty name to the queue that the channel declared
// last.
func (ch *channel) queueName(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	if ch.lastQueue == "" {
		return "", channelError(amqp091.NotFound, "no previously declared queue")
	}
	return ch.lastQueue, nil
}

// queue returns the queue that a method names.
func (ch *channel) queue(name string) (*queue, error) {
	name, err := ch.queueName(name)
	if err != nil {
		return nil, err
	}
	return ch.vhost().queue(name, ch.conn)
}

func (ch *channel) declareQueue(m *wire.QueueDeclare) error {
	v := ch.vhost()
	if m.Queue == replyQueue || isReplyKey(m.Queue) {
		return ch.declareReplies(m)
	}
	if m.Passive {
		q, err := ch.queue(m.Queue)
		if err != nil {
			return err
		}
		return ch.declared(q, m.NoWait)
	}
	name := m.Queue
	if name == "" {
		name = uniqueName("amq.gen-")
	}
	if q := v.queues[name]; q != nil {
		if _, err := v.queue(name, ch.conn); err != nil {
			return err
		}
		if err := q.sameDeclaration(m); err != nil {
			return err
		}
		return ch.declared(q, m.NoWait)
	}
	if err := reserved("queue", m.Queue); err != nil {
		return err
	}
	policy, err := v.newQueuePolicy(name, m.Arguments)
	if err != nil {
		return err
	}
	q := &queue{
		vhost:      v,
		name:       name,
		durable:    isDurable(m),
		autoDelete: m.AutoDelete,
		arguments:  m.Arguments,
		policy:     policy,
	}
	if m.Exclusive {
		q.owner = ch.conn
	}
	v.queues[name] = q
	return ch.declared(q, m.NoWait)
}

// declared answers a declaration.
func (ch *channel) declared(q *queue, noWait bool) error {
	ch.lastQueue = q.name
	q.use()
	q.expire()
	ch.reply(noWait, &wire.QueueDeclareOk{
		Queue:         q.name,
		MessageCount:  uint32(q.ready.length),
		ConsumerCount: uint32(len(q.consumers)),
	})
	return nil
}

// declareReplies answers a declaration of direct reply-to's pseudo-queue,
// whose use is to ask whether somebody still waits for a reply.
func (ch *channel) declareReplies(m *wire.QueueDeclare) error {
	if m.Queue != replyQueue && ch.server().replies[m.Queue] == nil {
		return channelError(amqp091.NotFound, "no queue '%s' in vhost '%s'", m.Queue, ch.vhost().name)
	}
	ch.lastQueue = m.Queue
	ch.reply(m.NoWait, &wire.QueueDeclareOk{Queue: m.Queue, ConsumerCount: 1})
	return nil
}

// isDurable reports whether the queue that m declares outlives the broker. One
// that belongs to a connection does not, whatever m says.
func isDurable(m *wire.QueueDeclare) bool { return m.Durable && !m.Exclusive }

// sameDeclaration compares a declaration with the queue that is there.
func (q *queue) sameDeclaration(m *wire.QueueDeclare) error {
	if err := inequivalentFlag("durable", "queue", q.name, q.vhost.name, isDurable(m), q.durable); err != nil {
		return err
	}
	if err := inequivalentFlag("auto_delete", "queue", q.name, q.vhost.name, m.AutoDelete, q.autoDelete); err != nil {
		return err
	}
	if m.Exclusive != (q.owner != nil) {
		return q.vhost.locked(q.name)
	}
	return q.sameArguments(m.Arguments)
}

func (ch *channel) bindQueue(m *wire.QueueBind) error {
	queue, key, err := ch.bindingEnds(m.Queue, m.RoutingKey)
	if err != nil {
		return err
	}
	if err := notDefault(m.Exchange); err != nil {
		return err
	}
	v := ch.vhost()
	x, err := v.exchange(m.Exchange)
	if err != nil {
		return err
	}
	q, err := v.queue(queue, ch.conn)
	if err != nil {
		return err
	}
	if err := x.bind(&binding{queue: q, key: key, arguments: m.Arguments}); err != nil {
		return err
	}
	ch.reply(m.NoWait, &wire.QueueBindOk{})
	return nil
}

func (ch *channel) unbindQueue(m *wire.QueueUnbind) error {
	queue, key, err := ch.bindingEnds(m.Queue, m.RoutingKey)
	if err != nil {
		return err
	}
	if err := notDefault(m.Exchange); err != nil {
		return err
	}
	v := ch.vhost()
	if v.queues[queue] != nil {
		q, err := v.queue(queue, ch.conn)
		if err != nil {
			return err
		}
		v.unbind(m.Exchange, &binding{queue: q, key: key, arguments: m.Arguments})
	}
	ch.send(&wire.QueueUnbindOk{})
	return nil
}

// bindingEnds expands an empty queue name, and an empty key together with it,
// to the queue that the channel declared last.
func (ch *channel) bindingEnds(queue, key string) (string, string, error) {
	name, err := ch.queueName(queue)
	if queue == "" && key == "" {
		key = name
	}
	return name, key, err
}

func (ch *channel) purgeQueue(m *wire.QueuePurge) error {
	q, err := ch.queue(m.Queue)
	if err != nil {
		return err
	}
	ch.reply(m.NoWait, &wire.QueuePurgeOk{MessageCount: uint32(q.purge())})
	return nil
}

func (ch *channel) deleteQueue(m *wire.QueueDelete) error {
	name, err := ch.queueName(m.Queue)
	if err != nil {
		return err
	}
	v := ch.vhost()
	messages := 0
	if v.queues[name] != nil { // one that is not there counts as deleted
		q, err := v.queue(name, ch.conn)
		if err != nil {
			return err
		}
		q.expire()
		if m.IfUnused && len(q.consumers) > 0 {
			return channelError(amqp091.PreconditionFailed, "queue '%s' in vhost '%s' in use", q.name, v.name)
		}
		if m.IfEmpty && q.ready.length > 0 {
			return channelError(amqp091.PreconditionFailed, "queue '%s' in vhost '%s' not empty", q.name, v.name)
		}
		messages = q.delete()
	}
	ch.reply(m.NoWait, &wire.QueueDeleteOk{MessageCount: uint32(messages)})
	return nil
}
