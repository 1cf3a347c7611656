// Package receiver publishes on channels of all kinds.
package receiver

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

type session struct {
	*amqp.Connection
	*amqp.Channel
}

type tx struct{ *session }

type tap struct {
	amqp.Channel
	n int
}

type holder struct {
	ch  *amqp.Channel
	val amqp.Channel
}

func (s session) promoted(ctx context.Context, msg amqp.Publishing) {
	_ = s.PublishWithContext(ctx, "ex", "key", false, false, msg)         // header
	_ = s.Publish("ex", "key", false, false, msg)                         // header
	_ = s.Channel.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func (t *tx) promoted(ctx context.Context, msg amqp.Publishing) {
	_ = t.PublishWithContext(ctx, "ex", "key", false, false, msg)         // header
	_ = t.session.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
	_ = t.Publish("ex", "key", false, false, msg)                         // header
}

func (t *tap) promoted(ctx context.Context, msg amqp.Publishing) {
	_ = t.PublishWithContext(ctx, "ex", "key", false, false, msg)    // header
	_ = t.Publish("ex", "key", false, false, msg)                    // header
	_ = (*t).PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func values(ctx context.Context, h *holder, p *amqp.Channel, pp **amqp.Channel, list []*amqp.Channel, msg amqp.Publishing) {
	_ = h.ch.PublishWithContext(ctx, "ex", "key", false, false, msg)      // header
	_ = h.val.PublishWithContext(ctx, "ex", "key", false, false, msg)     // header
	_ = h.val.Publish("ex", "key", false, false, msg)                     // header
	_ = (*p).PublishWithContext(ctx, "ex", "key", false, false, msg)      // header
	_ = (*p).Publish("ex", "key", false, false, msg)                      // header
	_ = (*pp).PublishWithContext(ctx, "ex", "key", false, false, msg)     // header
	_ = (p).PublishWithContext(ctx, "ex", "key", false, false, msg)       // header
	_ = list[0].PublishWithContext(ctx, "ex", "key", false, false, msg)   // header
	_ = get().PublishWithContext(ctx, "ex", "key", false, false, msg)     // header
	_ = get().Publish("ex", "key", false, false, msg)                     // header
	_ = (<-chans).PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

var chans chan *amqp.Channel

func get() *amqp.Channel { return nil }

func chain(ctx context.Context, h *holder, msg amqp.Publishing) error {
	return h.
		ch.
		PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}
