// Package local publishes literals that have a name.
package local

import (
	"context"
	"fmt"
	"strings"
	"time"

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

func callThenElement(ctx context.Context, ch *amqp.Channel, v any, id func() string) error {
	msg := amqp.Publishing{Body: encode(v), MessageId: id()}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func elementThenCall(ctx context.Context, ch *amqp.Channel, v any, id func() string) error {
	msg := amqp.Publishing{MessageId: id(), Body: encode(v)}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func callThenVariable(ctx context.Context, ch *amqp.Channel, v any) error {
	msg := amqp.Publishing{Body: encode(v), MessageId: last}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

var last string // what encode has encoded

func clockThenStatement(ctx context.Context, ch *amqp.Channel, wait func()) error {
	msg := amqp.Publishing{Body: []byte(time.Now().String())}
	wait()
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func clockAtOnce(ctx context.Context, ch *amqp.Channel) error {
	msg := amqp.Publishing{Body: []byte(time.Now().String())}
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
}

func panicThenStatement(ctx context.Context, ch *amqp.Channel, n int) error {
	msg := amqp.Publishing{Body: []byte(strings.Repeat("x", n))}
	fmt.Println("now")
	return ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // header
}

func result(ctx context.Context, ch *amqp.Channel) (body []byte) {
	msg := amqp.Publishing{Type: "t", Body: body}
	defer func() { _ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) }() // header
	return []byte("returned")
}

// This module says go 1.21: the loop has one body.
func ranges(ctx context.Context, ch *amqp.Channel, bodies [][]byte) {
	for _, body := range bodies {
		msg := amqp.Publishing{Type: "t", Body: body}
		defer func() { _ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) }() // header
	}
	for _, body := range bodies {
		msg := amqp.Publishing{Type: "t", Body: body}
		_ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) // native
	}
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
