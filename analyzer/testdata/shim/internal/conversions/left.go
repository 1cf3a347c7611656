// Package conversions converts structs into each other.
package conversions

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type ours struct{ ch *amqp.Channel }

func (o ours) wrap() { third.Wrap(o.ch) }
