// Package tracing is a library of somebody else's: it is written for
// github.com/rabbitmq/amqp091-go, and stays.
package tracing

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

const header = "x-trace"

type key struct{}

// With returns a context with a trace.
func With(ctx context.Context, trace string) context.Context {
	return context.WithValue(ctx, key{}, trace)
}

// Inject writes the trace of ctx to headers.
func Inject(ctx context.Context, headers amqp.Table) {
	if trace, ok := ctx.Value(key{}).(string); ok {
		headers[header] = trace
	}
}

// Of returns the trace that d came with.
func Of(d amqp.Delivery) string {
	trace, _ := d.Headers[header].(string)
	return trace
}

// Acked acknowledges d.
func Acked(d amqp.Delivery) error { return d.Ack(false) }

// Middleware wraps a handler of deliveries.
func Middleware(next func(context.Context, amqp.Delivery) error) func(context.Context, amqp.Delivery) error {
	return func(ctx context.Context, d amqp.Delivery) error {
		return next(With(ctx, Of(d)), d)
	}
}
