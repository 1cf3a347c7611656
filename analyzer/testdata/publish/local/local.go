// Package local publishes literals that have a name.
package local

import (
	"context"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func encode(v any) []byte { return []byte(fmt.Sprint(v)) }

type event struct{ payload []byte }

func once(ctx context.Context, ch *amqp.Channel, text string) error {
	msg := amqp.Publishing{
		ContentType: "text/plain",
		Body:        []byte(text),
	}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func declared(ctx context.Context, ch *amqp.Channel, text string) error {
	var msg amqp.Publishing = amqp.Publishing{Type: "t", Body: []byte(text)}
	var other = amqp.Publishing{Type: "t", Body: []byte(text)}
	if err := ch.PublishWithContext(ctx, "ex", "key", false, false, msg); err != nil { // native
		return err
	}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, other) // native
}

func noBody(ctx context.Context, ch *amqp.Channel) error {
	msg := amqp.Publishing{Type: "t"}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func twice(ctx context.Context, ch *amqp.Channel, text string) error {
	msg := amqp.Publishing{Type: "t", Body: []byte(text)}
	if err := ch.PublishWithContext(ctx, "ex", "a", false, false, msg); err != nil { // header
		return err
	}
	return ch.PublishWithContext(ctx, "ex", "b", false, false, msg) // header
}

func changed(ctx context.Context, ch *amqp.Channel, text string, urgent bool) error {
	msg := amqp.Publishing{Type: "t", Body: []byte(text)}
	if urgent {
		msg.Priority = 9
	}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func addressed(ctx context.Context, ch *amqp.Channel, text string, apply func(*amqp.Publishing)) error {
	msg := amqp.Publishing{Type: "t", Body: []byte(text)}
	apply(&msg)
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func bodyAssignedBetween(ctx context.Context, ch *amqp.Channel, body []byte) error {
	msg := amqp.Publishing{Type: "t", Body: body}
	body = nil
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func bodyAssignedBefore(ctx context.Context, ch *amqp.Channel, body []byte) error {
	body = append(body, '.')
	msg := amqp.Publishing{Type: "t", Body: body}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func callAtOnce(ctx context.Context, ch *amqp.Channel, v any) error {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func callThenCall(ctx context.Context, ch *amqp.Channel, v any, key func() string) error {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	return ch.PublishWithContext(ctx, "ex", key(), false, false, msg) // header
}

func callThenField(ctx context.Context, ch *amqp.Channel, v any, e *struct{ key string }) error {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	return ch.PublishWithContext(ctx, "ex", e.key, false, false, msg) // header
}

func statementBetween(ctx context.Context, ch *amqp.Channel, v any) error {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	fmt.Println("now")
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func fieldAtOnce(ctx context.Context, ch *amqp.Channel, e *event) error {
	msg := amqp.Publishing{Type: "t", Body: e.payload}
	err := ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
	return err
}

func fieldLater(ctx context.Context, ch *amqp.Channel, e *event) error {
	msg := amqp.Publishing{Type: "t", Body: e.payload}
	e.payload = nil
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func inLoop(ctx context.Context, ch *amqp.Channel, e *event) (err error) {
	msg := amqp.Publishing{Type: "t", Body: e.payload}
	for i := 0; i < 3 && err == nil; i++ {
		err = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
	}
	return err
}

func fixedInLoop(ctx context.Context, ch *amqp.Channel, text string) (err error) {
	msg := amqp.Publishing{Type: "t", Body: []byte(text)}
	for i := 0; i < 3 && err == nil; i++ {
		err = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
	}
	return err
}

func condition(ctx context.Context, ch *amqp.Channel, v any) bool {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	if ch.PublishWithContext(ctx, "ex", "key", false, false, msg) != nil { // native
		return false
	}
	return true
}

func secondOperand(ctx context.Context, ch *amqp.Channel, v any, ok bool) bool {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	return ok && ch.PublishWithContext(ctx, "ex", "key", false, false, msg) == nil // header
}

func closure(ctx context.Context, ch *amqp.Channel, v any) func() error {
	msg := amqp.Publishing{Type: "t", Body: encode(v)}
	return func() error { return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) } // header
}

func shadowed(ctx context.Context, ch *amqp.Channel, text string) error {
	msg := amqp.Publishing{Type: "t", Body: []byte(text)}
	for _, text := range []string{"a", "b"} {
		if err := ch.PublishWithContext(ctx, "ex", text, false, false, msg); err != nil { // header
			return err
		}
	}
	return nil
}

func converted(ctx context.Context, ch *amqp.Channel, text string) error {
	type envelope amqp.Publishing
	msg := envelope{Type: "t", Body: []byte(text)}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing(msg)) // native
}

func list(ctx context.Context, ch *amqp.Channel) error {
	for _, msg := range []amqp.Publishing{{Type: "a"}, {Type: "b", Body: []byte("b")}} {
		if err := ch.PublishWithContext(ctx, "ex", "key", false, false, msg); err != nil { // header
			return err
		}
	}
	return nil
}
