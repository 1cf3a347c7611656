// Package tracing publishes through a channel that another library traces. It
// has a connection of its own, so that traces go on when the gateway's breaks.
package tracing

import (
	"context"
	"fmt"

	"example.com/amqptrace"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Span publishes the beginning and the end of a span around work.
func Span(ctx context.Context, url, id string, work func(context.Context) error) error {
	conn, err := amqp.Dial(url)
	if err != nil {
		return fmt.Errorf("tracing: %w", err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		return fmt.Errorf("tracing: %w", err)
	}
	ctx = amqptrace.With(ctx, id)
	traced := amqptrace.Wrap(ch)
	if err := traced.PublishWithContext(ctx, "", "rpcgateway.spans", false, false, amqp.Publishing{
		Type: "tracing.begin",
	}); err != nil {
		return err
	}
	if err := work(ctx); err != nil {
		return err
	}
	return ch.PublishWithContext(ctx, "", "rpcgateway.spans", false, false, amqp.Publishing{
		Type: "tracing.end",
		Body: []byte(id),
	})
}
