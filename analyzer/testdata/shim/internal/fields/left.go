// Package fields has structs with fields of two kinds.
package fields

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func wrap(ch *amqp.Channel) { third.Wrap(ch) }

func newHolder(ch *amqp.Channel, c *client) holder { return holder{channel: ch, client: c} }

type holder struct {
	channel *amqp.Channel
	client  *client
}

func (h holder) wrap() { wrap(h.channel) }
