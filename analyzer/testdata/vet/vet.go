// Package vet has one fix for all its publishes.
package vet

import amqp "github.com/amqpfix/amqpfix/compat/amqp091"

type event struct {
	key  string
	body []byte
}

func left(ch *amqp.Channel) func(string, string, bool, bool, amqp.Publishing) error {
	return ch.Publish // want `Publish is left: ch.Publish is used as a value; use a function literal that makes the new call`
}

func native(ch *amqp.Channel, e *event) error {
	return ch.Publish("ex", e.key, true, false, amqp.Publishing{ // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", e.key, newapi.BasicProperties{…}, e.body, newapi.Mandatory\)`
		ContentType: "application/json",
		Body:        e.body,
	})
}

func header(ch *amqp.Channel, msg amqp.Publishing, m bool) error {
	return ch.Publish("ex", "key", m, false, msg) // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", "key", amqp.Header\(msg\), msg.Body, newapi.FlagsIf\(…\)\)`
}

func whole(ch *amqp.Channel, next func() amqp.Publishing) (*amqp.DeferredConfirmation, error) {
	return ch.PublishWithDeferredConfirm("ex", "key", false, false, next()) // want `use amqp.BasicPublishDeferred\(context.Background\(\), ch, "ex", "key", next\(\)\)`
}

func ignored(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) //amqpfix:ignore publish compared with the new call
}
