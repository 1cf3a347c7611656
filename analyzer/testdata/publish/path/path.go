// Package path publishes variables.
package path

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

type item struct {
	amqp.Publishing
	msg amqp.Publishing
	ptr *amqp.Publishing
	own envelope
}

type envelope amqp.Publishing

type pointer *amqp.Publishing

var template amqp.Publishing

func parameter(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func fields(ctx context.Context, ch *amqp.Channel, i *item, list []item) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, i.msg)                  // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, i.Publishing)           // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, (*i).msg)               // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, template)               // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, (template))             // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, list[0].msg)            // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *list[0].ptr)           // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, get().msg)              // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *get().ptr)             // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing(i.own)) // header
}

func get() *item { return new(item) }

func pointers(ctx context.Context, ch *amqp.Channel, p *amqp.Publishing, i item, q pointer, pp **amqp.Publishing, e *envelope) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *p)                  // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, (*p))                // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *(p))                // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *i.ptr)              // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, *q)                  // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, **pp)                // whole
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing(*e)) // header
}

func onItsOwnLine(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.PublishWithContext(
		ctx,
		"ex",
		"key",
		false,
		false,
		msg, // header
	)
}
