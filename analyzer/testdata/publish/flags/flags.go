// Package flags publishes with flags of all kinds.
package flags

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"

	"example.com/publish/flags/config"
	other "example.com/publish/flags/config/other"
)

const (
	mandatory = false
	immediate = false
	always    = !mandatory
)

type options struct{ mandatory, immediate bool }

func all(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing, o options, m, i bool) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg)                 // header
	_ = ch.PublishWithContext(ctx, "ex", "key", true, false, msg)                  // header
	_ = ch.PublishWithContext(ctx, "ex", "key", mandatory, immediate, msg)         // header
	_ = ch.PublishWithContext(ctx, "ex", "key", always, immediate, msg)            // header
	_ = ch.PublishWithContext(ctx, "ex", "key", 1 > 2, false, msg)                 // header
	_ = ch.PublishWithContext(ctx, "ex", "key", m, false, msg)                     // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, i, msg)                     // header finding immediate
	_ = ch.PublishWithContext(ctx, "ex", "key", false, true, msg)                  // header finding immediate
	_ = ch.PublishWithContext(ctx, "ex", "key", true, true, msg)                   // header finding immediate
	_ = ch.PublishWithContext(ctx, "ex", "key", o.mandatory, o.immediate, msg)     // header finding immediate
	_ = ch.PublishWithContext(ctx, "ex", "key", config.Mandatory, false, msg)      // header
	_ = ch.PublishWithContext(ctx, "ex", "key", other.Mandatory, false, msg)       // header
	_ = ch.PublishWithContext(ctx, config.Exchange, "key", false, false, msg)      // header
	_ = ch.PublishWithContext(ctx, "ex", "key", m && !i, false, amqp.Publishing{}) // native
}

func locals(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	const no = false
	_ = ch.PublishWithContext(ctx, "ex", "key", no, no, msg) // header
	var list [2]int
	_ = ch.PublishWithContext(ctx, "ex", "key", len(list) > 2, false, msg) // header
	m := true
	_ = ch.PublishWithContext(ctx, "ex", "key", m, false, msg) // header
}

func falseIsSomethingElse(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing, m bool) {
	const false = true
	_ = ch.PublishWithContext(ctx, "ex", "key", false, !false, msg) // header
	_ = ch.PublishWithContext(ctx, "ex", "key", m, !false, msg)     // header
}

// Values of constants count where they are the same in all builds.
func platforms(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx, "ex", "key", !always, immediate, msg) // header
	_ = ch.PublishWithContext(ctx, "ex", "key", somewhere, false, msg)   // header
	_ = ch.PublishWithContext(ctx, "ex", "key", everywhere, false, msg)  // header
	_ = ch.PublishWithContext(ctx, "ex", "key", always, somewhere, msg)  // header finding immediate
}
