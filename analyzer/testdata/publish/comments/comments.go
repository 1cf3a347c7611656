// Package comments publishes with comments.
package comments

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func tutorial(ctx context.Context, ch *amqp.Channel, body string) error {
	return ch.PublishWithContext(ctx, // native
		"",    // exchange
		"key", // routing key
		false, // mandatory
		false, // immediate
		amqp.Publishing{
			ContentType: "text/plain",
			Body:        []byte(body),
		})
}

func onOneLine(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.PublishWithContext(ctx, "" /* exchange */, "key" /* routing key */, false /* mandatory */, false /* immediate */, msg) // header
}

func saysMore(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing, m bool) error {
	if err := ch.PublishWithContext( // header
		ctx,
		"",
		"key",
		m,     // mandatory: we want it back
		false, // RabbitMQ knows no immediate
		msg,
	); err != nil {
		return err
	}
	return ch.PublishWithContext( // header
		ctx,
		"",
		"key",
		false, // nobody listens for returns
		false, // immediate
		msg,
	)
}

func fieldComments(ctx context.Context, ch *amqp.Channel, body string) error {
	return ch.PublishWithContext(
		ctx,
		"ex",
		"key",
		true,  // mandatory
		false, // immediate
		amqp.Publishing{ // native
			// plain
			ContentType: "text/plain",
			// Expiration: "1000",

			// the text
			Body: []byte(body), // not empty
		}, // the message
	)
}

func inline(ctx context.Context, ch *amqp.Channel, body string) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		ContentType: "text/plain",
		Body:        []byte(body), // the text
	})
}

func beforeTheMethod(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch. // left position
		// a word
		PublishWithContext(ctx, "ex", "key", false, false, msg)
}

func beforeTheBody(ctx context.Context, ch *amqp.Channel, body []byte) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "t" /* first */, Body: body}) // native
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{                                    // native
		Type: "t" /* first */, Body: body,
	})
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "t", // native
		// An empty line follows.

		Body: body})
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		Body: body})
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ /* only */ Body: body}) // native
}

type outbox struct{ next amqp.Publishing }

func withinAPath(ctx context.Context, ch *amqp.Channel, o *outbox) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, o. /* the next */ next) // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false,
		o. // header
			next)
}

func otherLetters(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx, "ex", "key", true /* mandatory — обязательно */, false, msg) // header
}

func behindTheMessage(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx, "ex",
		"key", true, false, msg, // header
	)
	_ = ch.PublishWithContext(ctx, "ex", // left position
		"key", true, false, msg,
	// nothing follows
	)
}
