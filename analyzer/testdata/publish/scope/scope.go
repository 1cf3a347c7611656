// Package scope has names in the way.
package scope

import (
	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func shadowed(ch *amqp.Channel, context, newapi string, msg amqp.Publishing) error {
	return ch.Publish(context, newapi, false, false, msg) // header
}

func hidden(ch *amqp.Channel, msg amqp.Publishing) error {
	amqp := "key"
	return ch.Publish("ex", amqp, false, false, msg) // header
}
