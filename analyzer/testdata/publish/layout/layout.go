// Package layout publishes in many lines or few.
package layout

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func anArgumentALine(ctx context.Context, ch *amqp.Channel, body []byte, m bool) error {
	if err := ch.PublishWithContext(
		ctx, // the caller's
		"ex",
		"key",
		m,
		false,
		amqp.Publishing{ // native
			Type: "t",
			Body: body,
		},
	); err != nil {
		return err
	}
	return ch.PublishWithContext(
		ctx,
		"ex",
		"key",
		m,
		false,
		amqp.Publishing{ // native
			Type: "t",
			Body: body,
		})
}

func messageOnItsLine(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", true, false,
		amqp.Publishing{Type: "t", Body: body}) // native
}

func noContext(ch *amqp.Channel, body []byte) error {
	return ch.Publish(
		"ex",
		"key",
		true,
		false,
		amqp.Publishing{Type: "t", Body: body}, // native
	)
}

func contextWithExchange(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(
		ctx, "ex",
		"key",
		false, false,
		amqp.Publishing{ // native
			Body: body,
		},
	)
}
