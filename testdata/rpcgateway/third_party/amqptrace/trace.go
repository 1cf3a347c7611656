// Package amqptrace carries trace ids in the headers of messages. It stands for a
// library that somebody else maintains: typed with amqp091-go, and not ours to
// change.
package amqptrace

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Key is the header that has the trace id.
const Key = "traceparent"

type traceKey struct{}

// With returns a context with a trace id.
func With(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

// Inject returns msg with the trace id of ctx among its headers, which are copied.
func Inject(ctx context.Context, msg amqp.Publishing) amqp.Publishing {
	id, ok := ctx.Value(traceKey{}).(string)
	if !ok {
		return msg
	}
	headers := make(amqp.Table, len(msg.Headers)+1)
	for name, value := range msg.Headers {
		headers[name] = value
	}
	headers[Key] = id
	msg.Headers = headers
	return msg
}

// Extract returns the trace id of a delivery.
func Extract(d amqp.Delivery) (id string, ok bool) {
	id, ok = d.Headers[Key].(string)
	return id, ok
}

// Channel injects into everything that is published on it.
type Channel struct{ ch *amqp.Channel }

// Wrap returns a traced channel.
func Wrap(ch *amqp.Channel) *Channel { return &Channel{ch: ch} }

// PublishWithContext publishes msg with the trace id of ctx.
func (c *Channel) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error {
	return c.ch.PublishWithContext(ctx, exchange, key, mandatory, immediate, Inject(ctx, msg))
}
