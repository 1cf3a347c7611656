// Package order publishes what has effects.
package order

import (
	"context"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func ctx() context.Context     { return context.Background() }
func channel() *amqp.Channel   { return nil }
func key() string              { return "" }
func yes() bool                { return true }
func body() []byte             { return nil }
func message() amqp.Publishing { return amqp.Publishing{} }

func contexts(ch *amqp.Channel, c context.Context, msg amqp.Publishing) {
	_ = ch.PublishWithContext(ctx(), "ex", key(), false, false, msg)                  // header
	_ = channel().PublishWithContext(c, "ex", key(), false, false, msg)               // header
	_ = channel().PublishWithContext(ctx(), "ex", key(), false, false, msg)           // header
	_ = channel().Publish("ex", key(), false, false, msg)                             // header
	_ = channel().PublishWithContext(context.Context(c), "ex", "", false, false, msg) // header
}

func hoisted(c context.Context, msg amqp.Publishing, tests []func() error) error {
	if err := channel().PublishWithContext(ctx(), "ex", "key", false, false, msg); err != nil { // header
		return err
	}
	defer channel().PublishWithContext(ctx(), "ex", "key", false, false, msg)        // header
	for channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) == nil { // left order-of-effects
	}
	if yes() && channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) == nil { // left order-of-effects
		return nil
	}
	_, _ = yes(), channel().PublishWithContext(ctx(), "ex", "key", false, false, msg) // left order-of-effects
	if ch := channel(); ch != nil {
		// The channel may be gone.
		return channel().PublishWithContext( // whole
			ctx(),
			"ex",
			key(),
			false,
			false,
			message(),
		)
	}
	return nil
}

func oneLine(m amqp.Publishing) { channel().PublishWithContext(ctx(), "", "", false, false, m) } // left order-of-effects

func flags(ch *amqp.Channel, msg amqp.Publishing, b []byte) {
	_ = ch.Publish("ex", key(), yes(), false, msg)                                                        // header
	_ = ch.Publish("ex", key(), yes(), false, amqp.Publishing{Body: b})                                   // native
	_ = ch.Publish("ex", key(), yes(), false, amqp.Publishing{Timestamp: time.Now(), Body: []byte(key2)}) // native
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: body()})                              // left order-of-effects
	_ = ch.Publish("ex", "key", false, yes(), amqp.Publishing{MessageId: key(), Body: b})                 // left order-of-effects finding immediate
	_ = ch.Publish("ex", "key", yes(), false, message())                                                  // left order-of-effects
	_ = ch.Publish("ex", "key", true, false, message())                                                   // whole
}

const key2 = "k"

var global string

func flagsBesideEffects(ch *amqp.Channel, b []byte, m, n bool, p any, o *struct{ mandatory bool }) {
	_ = ch.Publish("ex", "key", m, n, amqp.Publishing{Body: body()})                   // native finding immediate
	_ = ch.Publish("ex", "key", !m, false, amqp.Publishing{Body: body()})              // native
	_ = ch.Publish("ex", "key", m && n, false, amqp.Publishing{Body: body()})          // native
	_ = ch.Publish("ex", "key", len(global) > 2, false, amqp.Publishing{Body: body()}) // left order-of-effects
	_ = ch.Publish("ex", "key", len(b) > 2, false, amqp.Publishing{Body: body()})      // left order-of-effects
	_ = ch.Publish("ex", "key", p.(bool), false, amqp.Publishing{Body: body()})        // left order-of-effects
	_ = ch.Publish("ex", "key", o.mandatory, false, amqp.Publishing{Body: body()})     // left order-of-effects
	_ = ch.Publish("ex", "key", o.mandatory, false, amqp.Publishing{Body: b})          // native
	_ = ch.Publish("ex", "key", len(b) > 2, false, message())                          // left order-of-effects
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: []byte(global)})   // left order-of-effects
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: b[:1]})            // left order-of-effects
	_ = ch.Publish("ex", "key", yes(), false, amqp.Publishing{Body: b})                // native
}

func literals(ch *amqp.Channel, b []byte) {
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{MessageId: key(), Body: body()})                   // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), MessageId: key()})                   // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b, MessageId: key()})                        // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), Timestamp: time.Now(), Priority: 3}) // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), Priority: uint8(len(b))})            // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b[:1], MessageId: key()})                    // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: []byte(global), MessageId: key()})           // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b[:1], MessageId: global, Type: "t"})        // native
}
