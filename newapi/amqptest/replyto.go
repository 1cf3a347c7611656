package amqptest

import (
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// replyQueue is the pseudo-queue of RabbitMQ's direct reply-to: a client that
// consumes from it and names it in reply-to gets the answers on its channel,
// without a queue.
const replyQueue = "amq.rabbitmq.reply-to"

// isReplyKey reports whether a routing key is one that stands for a channel
// waiting for replies.
func isReplyKey(key string) bool { return strings.HasPrefix(key, replyQueue+".") }

// consumeReplies is basic.consume from the pseudo-queue.
func (ch *channel) consumeReplies(m *wire.BasicConsume, tag string) error {
	if !m.NoAck {
		return channelError(amqp091.PreconditionFailed, "reply consumer cannot acknowledge")
	}
	if ch.replyConsumer != nil {
		return channelError(amqp091.PreconditionFailed, "reply consumer already set")
	}
	ch.replyConsumer = &consumer{channel: ch, tag: tag, noAck: true}
	ch.consumers[tag] = ch.replyConsumer
	ch.replyKey = uniqueName(replyQueue + ".")
	ch.server().replies[ch.replyKey] = ch
	ch.reply(m.NoWait, &wire.BasicConsumeOk{ConsumerTag: tag})
	return nil
}

// endReplies makes the channel's reply key lead nowhere.
func (ch *channel) endReplies() {
	delete(ch.server().replies, ch.replyKey)
	ch.replyConsumer = nil
	ch.replyKey = ""
}

// withReplyKey puts the channel's own reply key in place of the pseudo-queue's
// name, so that whoever answers can be told where to.
func (ch *channel) withReplyKey(properties []byte) ([]byte, error) {
	if to, ok := wire.Property(properties, wire.FlagReplyTo); !ok || string(to) != replyQueue {
		return properties, nil
	}
	if ch.replyConsumer == nil {
		return nil, channelError(amqp091.PreconditionFailed, "fast reply consumer does not exist")
	}
	list := splitProperties(properties)
	list.set(wire.FlagReplyTo, []byte(ch.replyKey))
	return list.join(), nil
}

// reply delivers a message straight to the channel that waits for it. It
// reports false when there is none any more.
func (s *Server) reply(m *message) bool {
	ch := s.replies[m.routingKey]
	if ch == nil {
		return false
	}
	ch.replyConsumer.deliver(&entry{message: m})
	return true
}
