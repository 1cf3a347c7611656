// Package literal publishes literals.
package literal

import (
	"context"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

type message = amqp.Publishing

type envelope amqp.Publishing

func oneLine(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "t", Body: body}) // native
}

func noContext(ch *amqp.Channel, body []byte) error {
	return ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
		ContentType:  "text/plain",
		DeliveryMode: amqp.Persistent,
		Body:         body,
	})
}

func bodyFirst(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		Body: body,
		Type: "t",
	})
}

func bodyFirstInLine(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Body: body, Type: "t"}) // native
}

func bodyOnly(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		Body: body,
	})
}

func bodyInTheMiddle(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		Type: "t", Body: body,
		AppId: "a",
	})
}

func bodyEndsLine(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // native
		Type: "t", Body: body,
	})
}

func closesOnBody(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "t", // native
		Body: body})
}

func noBody(ctx context.Context, ch *amqp.Channel) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "t"}) // native
}

func empty(ctx context.Context, ch *amqp.Channel) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{}) // native
}

func noNil(ctx context.Context, ch *amqp.Channel) error {
	nil := "not what it was"
	return ch.PublishWithContext(ctx, "ex", nil, false, false, amqp.Publishing{Type: "t"}) // whole
}

func alias(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, message{Type: "t", Body: body}) // native
}

func conversion(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing(envelope{Type: "t", Body: body})) // native
}

func parentheses(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, (amqp.Publishing{Type: "t", Body: body})) // native
}

func unkeyed(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{ // whole
		nil, "text/plain", "", 2, 0, "", "", "", "", time.Time{}, "t", "", "", body,
	})
}

func headers(ch *amqp.Channel, m map[string]any, d amqp.Delivery) {
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Headers: amqp.Table{"a": 1}, Body: d.Body})        // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Headers: amqp.Table(m), Body: d.Body})             // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Headers: m, Body: d.Body})                         // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Headers: d.Headers, Body: d.Body})                 // native
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Headers: make(amqp.Table), Body: []byte("hello")}) // native
}

func everything(ch *amqp.Channel, body []byte) error {
	return ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
		Headers:         amqp.Table{"k": "v"},
		ContentType:     "text/plain",
		ContentEncoding: "utf-8",
		DeliveryMode:    amqp.Persistent,
		Priority:        9,
		CorrelationId:   "c",
		ReplyTo:         "r",
		Expiration:      "1000",
		MessageId:       "m",
		Timestamp:       time.Now(),
		Type:            "t",
		UserId:          "u",
		AppId:           "a",
		Body:            body,
	})
}

func deferred(ctx context.Context, ch *amqp.Channel, body []byte) (*amqp.DeferredConfirmation, error) {
	if _, err := ch.PublishWithDeferredConfirm("ex", "key", false, false, amqp.Publishing{Body: body}); err != nil { // native
		return nil, err
	}
	return ch.PublishWithDeferredConfirmWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Body: body}) // native
}

func statements(ctx context.Context, ch *amqp.Channel, body []byte) {
	defer ch.Publish("ex", "key", false, false, amqp.Publishing{Type: "t", Body: body})   // native
	go ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Body: body}) // native
	go func() {
		ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Body: body}) // native
	}()
	errs := make(chan error, 1)
	errs <- ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // native
}

func nested(ctx context.Context, ch *amqp.Channel) error {
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Type: "outer", Body: func() []byte { // native
		_ = ch.Publish("ex", "inner", false, false, amqp.Publishing{Type: "inner", Body: []byte("x")}) // native
		return nil
	}()})
}

var initialised = (*amqp.Channel)(nil).Publish("", "", false, false, amqp.Publishing{Body: []byte("never")}) // native
