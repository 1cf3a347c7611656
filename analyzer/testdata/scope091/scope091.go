// Package scope091 publishes where a context is in scope, and where none is.
package scope091

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func parameter(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) // want `use newapi.BasicPublish\(ctx, ch, "ex", "key", amqp.Header\(msg\), msg.Body\)`
}

func nearest(ctx context.Context, ch *amqp.Channel, body []byte) error {
	if inner, cancel := context.WithCancel(ctx); inner.Err() == nil {
		defer cancel()
		return ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `use newapi.BasicPublish\(inner, ch, "ex", "key", newapi.BasicProperties{}, body\)`
	}
	_, err := ch.PublishWithDeferredConfirm("ex", "key", false, false, amqp.Publishing{Body: body}) // want `use newapi.BasicPublishDeferred\(ctx, ch, "ex", "key", newapi.BasicProperties{}, body\)`
	return err
}

func given(ctx, other context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // want `use newapi.BasicPublish\(ctx, ch, "ex", "key", amqp.Header\(msg\), msg.Body\)`
}

func none(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", "key", amqp.Header\(msg\), msg.Body\)`
}

func later(ch *amqp.Channel, msg amqp.Publishing) error {
	err := ch.Publish("ex", "key", false, false, msg) // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", "key", amqp.Header\(msg\), msg.Body\)`
	ctx := context.TODO()
	_ = ctx
	return err
}

func hidden(ctx context.Context, ch *amqp.Channel, msg amqp.Publishing) error {
	for _, ctx := range []string{"a"} {
		_ = ch.Publish("ex", ctx, false, false, msg) // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", ctx, amqp.Header\(msg\), msg.Body\)`
	}
	return nil
}

type server struct{ ctx context.Context }

func (s *server) field(ch *amqp.Channel, msg amqp.Publishing) error {
	return ch.Publish("ex", "key", false, false, msg) // want `use newapi.BasicPublish\(context.Background\(\), ch, "ex", "key", amqp.Header\(msg\), msg.Body\)`
}
