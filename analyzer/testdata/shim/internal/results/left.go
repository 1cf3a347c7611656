// Package results has values that are returned.
package results

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

var shared *amqp.Channel

func wrap() { third.Wrap(shared) }
