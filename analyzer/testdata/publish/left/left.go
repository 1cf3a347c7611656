// Package left has what is not rewritten.
package left

import (
	"context"
	"expvar"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	upstream "github.com/rabbitmq/amqp091-go"
	streadway "github.com/streadway/amqp"
)

type publisher interface {
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
}

type old interface {
	Publish(exchange, key string, mandatory, immediate bool, msg streadway.Publishing) error
}

type wrapped struct{ publisher }

func interfaces(ctx context.Context, p publisher, o old, w wrapped, msg amqp.Publishing) {
	_ = p.PublishWithContext(ctx, "ex", "key", false, false, msg)    // left user-interface
	_ = w.PublishWithContext(ctx, "ex", "key", false, false, msg)    // left user-interface
	_ = o.Publish("ex", "key", false, false, streadway.Publishing{}) // left user-interface
}

func parameters[P publisher](ctx context.Context, p P, msg amqp.Publishing) error {
	return p.PublishWithContext(ctx, "ex", "key", false, false, msg) // left type-parameter
}

func values(ch *amqp.Channel) {
	f := ch.Publish              // left method-value
	g := (*amqp.Channel).Publish // left method-value
	go func() { _, _ = f, g }()
}

func modules(u *upstream.Channel, s *streadway.Channel) {
	_ = u.Publish("ex", "key", false, false, upstream.Publishing{})  // left old-channel
	_ = s.Publish("ex", "key", false, false, streadway.Publishing{}) // left old-channel
}

func arguments() (string, string, bool, bool, amqp.Publishing) {
	return "", "", false, false, amqp.Publishing{}
}

func together(ch *amqp.Channel) error {
	return ch.Publish(arguments()) // left created-elsewhere
}

func ignored(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) //amqpfix:ignore publish the test needs it
}

func ignoredInVain(ch *amqp.Channel, msg amqp.Publishing) error {
	/* finding ignore-unused */ //amqpfix:ignore publish there was a publish here

	_ = ch.Publish("ex", "key", false, false, msg)   //amqpfix:ignore publish,shim the test needs it
	_ = ch.Publish("ex", "key", false, i(true), msg) //amqpfix:ignore publish the test needs it
	return nil                                       /* finding ignore-unused */ //amqpfix:ignore publish nothing of it here
}

func i(b bool) bool { return b }

// What has the name and is something else.

type client struct {
	Publish func(topic, key string, a, b bool, msg amqp.Publishing) error
}

type sns struct{}

func (sns) PublishWithContext(ctx context.Context, topic string, opts ...string) error { return nil }

type mine struct{ ch *amqp.Channel }

func (m mine) Publish(exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error {
	return m.ch.Publish(exchange, key, mandatory, immediate, msg) // header finding immediate
}

type bus interface {
	Publish(topic string, msg amqp.Publishing) error
}

func others(ctx context.Context, c client, s sns, m mine, b bus, msg amqp.Publishing) {
	_ = c.Publish("ex", "key", false, false, msg)
	_ = s.PublishWithContext(ctx, "topic")
	_ = m.Publish("ex", "key", false, false, msg)
	_ = b.Publish("topic", msg)
	expvar.Publish("x", nil)
}
