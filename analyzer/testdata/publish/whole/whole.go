// Package whole publishes what must be evaluated once.
package whole

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func message() amqp.Publishing              { return amqp.Publishing{} }
func pointer() *amqp.Publishing             { return new(amqp.Publishing) }
func stamp(amqp.Publishing) amqp.Publishing { return amqp.Publishing{} }

func all(ctx context.Context, ch *amqp.Channel, c chan amqp.Publishing, list []amqp.Publishing, m map[string]amqp.Publishing, msg amqp.Publishing) {
	_ = ch.Publish("ex", "key", false, false, message())                                         // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *pointer())                        // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, <-c)                               // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, list[0])                           // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", true, false, m["x"])                             // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, stamp(msg))                        // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, stamp(amqp.Publishing{Type: "t"})) // whole
	_, _ = ch.PublishWithDeferredConfirm("ex", "key", false, false, message())                   // whole
	_, _ = ch.PublishWithDeferredConfirmWithContext(ctx, "ex", "key", false, false, message())   // whole
	_ = ch.PublishWithContext(
		ctx,
		"ex",
		"key",
		true,
		false,
		message(), // whole
	)
}
