// Package othernames declares names of imports in files that this build leaves out.
package othernames

import amqp "github.com/amqpfix/amqpfix/compat/amqp091"

func publish(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) // want `use amqpfixnewapi.BasicPublish\(stdcontext.Background\(\), ch,`
}
