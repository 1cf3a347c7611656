package scope

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

func visible(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", true, false, msg) // header
}

func hiddenContext(context context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", true, false, msg) // header
}

func hiddenLater(ch *amqp.Channel, msg amqp.Publishing) error {
	if err := ch.Publish("ex", "key", false, false, msg); err != nil { // header
		return err
	}
	context, newapi := "ex", "key"
	return ch.Publish(context, newapi, false, false, msg) // header
}

var inVariable = func(ch *amqp.Channel, context string) error {
	return ch.Publish(context, "key", false, false, amqp.Publishing{Type: "t"}) // native
}

var properties newapi.BasicProperties
