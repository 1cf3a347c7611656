package amqptest

import (
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// publication is a publish that passed all checks.
type publication struct {
	message   *message
	exchange  *exchange
	mandatory bool
	tag       uint64 // in confirm mode
}

// publish takes a whole basic.publish.
func (ch *channel) publish(content assembly) error {
	s := ch.server()
	s.recorder.add(newPublished(ch.conn.number, ch.id, content))
	if err := s.faults.refusePublish(); err != nil {
		return err
	}
	p, err := ch.checkPublish(content)
	if err != nil {
		return err
	}
	switch ch.mode {
	case transactional:
		ch.tx.publishes = append(ch.tx.publishes, p)
		return nil
	case confirming:
		ch.published++
		p.tag = ch.published
		if s.faults.nackPublish() {
			ch.confirm(p.tag, false)
			return nil
		}
	}
	ch.deliver(p)
	return nil
}

// checkPublish makes the checks that RabbitMQ makes before it routes, in its
// order.
func (ch *channel) checkPublish(content assembly) (publication, error) {
	m := content.method
	if m.Immediate {
		return publication{}, connectionError(amqp091.NotImplemented, "immediate=true")
	}
	x, err := ch.vhost().exchange(m.Exchange)
	if err != nil {
		return publication{}, err
	}
	if x.internal {
		return publication{}, channelError(amqp091.AccessRefused, "cannot publish to internal exchange '%s' in vhost '%s'", x.name, x.vhost.name)
	}
	if user, ok := wire.Property(content.properties, wire.FlagUserID); ok && string(user) != ch.conn.user {
		return publication{}, channelError(amqp091.PreconditionFailed, "user_id property set to '%s' but authenticated user was '%s'", user, ch.conn.user)
	}
	properties, err := ch.withReplyKey(content.properties)
	if err != nil {
		return publication{}, err
	}
	message, err := newMessage(m.Exchange, m.RoutingKey, properties, content.body)
	if err != nil {
		return publication{}, err
	}
	return publication{message: message, exchange: x, mandatory: m.Mandatory}, nil
}

// deliver routes a message, returns it if it must be, and confirms it.
func (ch *channel) deliver(p publication) {
	routed, taken := ch.route(p)
	if !routed && p.mandatory {
		ch.conn.sendContent(ch.id, &wire.BasicReturn{
			ReplyCode:  amqp091.NoRoute,
			ReplyText:  replyNames[amqp091.NoRoute],
			Exchange:   p.message.exchange,
			RoutingKey: p.message.routingKey,
		}, p.message.properties, p.message.body)
	}
	if p.tag != 0 {
		ch.confirm(p.tag, taken)
	}
}

// route puts a message where it goes. It reports whether it goes anywhere, and
// whether every queue took it.
func (ch *channel) route(p publication) (routed, taken bool) {
	if p.exchange.name == "" && isReplyKey(p.message.routingKey) {
		return ch.server().reply(p.message), true
	}
	taken = true
	queues := p.exchange.route(p.message.routingKey, p.message.properties)
	for _, q := range queues {
		taken = q.put(p.message) && taken
	}
	return len(queues) > 0, taken
}
