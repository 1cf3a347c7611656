// Package statements connects files by statements.
package statements

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func wrap(ch *amqp.Channel) { third.Wrap(ch) }
