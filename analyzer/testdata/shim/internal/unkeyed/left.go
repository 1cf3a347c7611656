// Package unkeyed has a literal without keys.
package unkeyed

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type holder struct{ ch *amqp.Channel }

func (h holder) wrap() { third.Wrap(h.ch) }
