// Package immediate has flags that RabbitMQ refuses, old and new.
package immediate

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

type options struct{ mandatory, immediate bool }

func before(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing, o options) {
	_ = ch.PublishWithContext(ctx, "ex", "key", o.mandatory, false, msg)       // header
	_ = ch.PublishWithContext(ctx, "ex", "key", o.mandatory, o.immediate, msg) // header finding immediate
	_ = ch.PublishWithContext(ctx, "ex", "key", false, true, msg)              // header finding immediate
}

const never = false

func after(ctx context.Context, ch *amqp.Channel, p newapi.BasicProperties, o options) {
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.Mandatory)
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(o.mandatory, false))
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(o.mandatory, never))
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(o.mandatory, o.immediate)) // finding immediate
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(false, !never))            // finding immediate
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(o.both()))                 // finding immediate
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.Mandatory, newapi.Immediate)       // finding immediate
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.Mandatory|(newapi.Immediate))      // finding immediate
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.Immediate)                         //amqpfix:ignore publish the broker is not RabbitMQ
	//amqpfix:ignore publish the broker is not RabbitMQ
	_ = newapi.BasicPublish(ctx, ch, "ex", "key", p, nil, newapi.FlagsIf(o.both()))
}

func (o options) both() (mandatory, immediate bool) { return o.mandatory, o.immediate }

// A strict publisher only looks at flags.
type strict struct{ newapi.Publisher }

func (s strict) PublishEncoded(ctx context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	if m.Flags&newapi.Immediate != 0 || m.Flags.Has(newapi.Immediate) || m.Flags == (newapi.Mandatory|newapi.Immediate) {
		m.Flags &^= newapi.Immediate
	}
	switch m.Flags {
	case newapi.Immediate:
		m.Flags = 0
	}
	m.Flags |= newapi.Immediate // finding immediate
	return s.Publisher.PublishEncoded(ctx, m)
}

type flags interface {
	FlagsIf(mandatory, immediate bool)
}

func named(f flags, Immediate bool) {
	f.FlagsIf(true, true)
	_ = Immediate
}
