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
	_ = channel().PublishWithContext(ctx(), "ex", key(), false, false, msg)           // left order-of-effects
	_ = channel().Publish("ex", key(), false, false, msg)                             // header
	_ = channel().PublishWithContext(context.Context(c), "ex", "", false, false, msg) // header
}

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

func literals(ch *amqp.Channel, b []byte) {
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{MessageId: key(), Body: body()})                               // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), MessageId: key()})                               // whole
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: b, MessageId: key()})                                    // native
	_ = ch.Publish("ex", key(), false, false, amqp.Publishing{Body: body(), Timestamp: time.Now(), Priority: uint8(len(b))}) // native
}
