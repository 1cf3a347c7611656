// Package pipeline moves typed values through queues.
package pipeline

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/amqptrace"
	amqp "github.com/rabbitmq/amqp091-go"
)

// Envelope is a value and the message that carries it.
type Envelope[T any] struct {
	Msg   amqp.Publishing
	Value T
}

// Seal puts a value into an envelope.
func Seal[T any](value T) (Envelope[T], error) {
	body, err := json.Marshal(value)
	return Envelope[T]{
		Msg:   amqp.Publishing{ContentType: "application/json", Type: "pipeline.envelope", Body: body},
		Value: value,
	}, err
}

// Send sends an envelope.
func (e Envelope[T]) Send(ctx context.Context, ch *amqp.Channel, queue string) error {
	return ch.PublishWithContext(ctx, "", queue, false, false, e.Msg)
}

// Send sends a value without an envelope.
func Send[T any](ctx context.Context, ch *amqp.Channel, queue string, value T) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	return ch.PublishWithContext(ctx, "", queue, false, false, amqp.Publishing{
		ContentType: "application/json",
		Type:        "pipeline.value",
		Body:        body,
	})
}

// Pending are messages that the broker has not confirmed.
type Pending []*amqp.DeferredConfirmation

// Add adds what a publish has returned.
func (p *Pending) Add(dc *amqp.DeferredConfirmation, err error) error {
	if err == nil {
		*p = append(*p, dc)
	}
	return err
}

// Wait waits until everything is confirmed.
func (p Pending) Wait(ctx context.Context) error {
	for i, dc := range p {
		if acked, err := dc.WaitContext(ctx); err != nil || !acked {
			return fmt.Errorf("pipeline: message %d of %d: %v, %w", i, len(p), acked, err)
		}
	}
	return nil
}

// Stream sends texts and waits for all of them together.
func Stream(ctx context.Context, ch *amqp.Channel, queue string, texts ...string) error {
	var pending Pending
	for i, text := range texts {
		if err := pending.Add(ch.PublishWithDeferredConfirmWithContext(ctx, "", queue, false, false, amqp.Publishing{
			Headers: amqp.Table{"number": int64(i)},
			Type:    "pipeline.stream",
			Body:    []byte(text),
		})); err != nil {
			return err
		}
	}
	return pending.Wait(ctx)
}

// Traced sends a text with the trace id of ctx.
func Traced(ctx context.Context, ch *amqp.Channel, queue, text string) error {
	return ch.PublishWithContext(ctx, "", queue, false, false,
		amqptrace.Inject(ctx, amqp.Publishing{Type: "pipeline.traced", Body: []byte(text)}))
}

// TracedTwice sends a text with the trace id of ctx twice.
func TracedTwice(ctx context.Context, ch *amqp.Channel, queue, text string) error {
	msg := amqp.Publishing{Type: "pipeline.twice", Body: []byte(text)}
	msg = amqptrace.Inject(ctx, msg)
	if err := ch.PublishWithContext(ctx, "", queue, false, false, msg); err != nil {
		return err
	}
	msg.Headers["again"] = true
	msg.Type = "pipeline.again"
	return ch.PublishWithContext(ctx, "", queue, false, false, msg)
}

// signals are messages that only say that something is there.
var signals = map[string]*amqp.Publishing{
	"open":  {Type: "pipeline.signal", AppId: "open"},
	"close": {Type: "pipeline.signal", AppId: "close", Priority: 1},
}

// Signal sends a signal. One that is not known is a bug, and panics.
func Signal(ch *amqp.Channel, queue, name string) error {
	return ch.Publish("", queue, false, false, *signals[name])
}

// Steps sends the three steps of every pipeline.
func Steps(ctx context.Context, ch *amqp.Channel, queue string) error {
	for _, step := range []*amqp.Publishing{
		{Type: "pipeline.step", Body: []byte("extract")},
		{Type: "pipeline.step", Body: []byte("transform"), Headers: amqp.Table{"slow": true}},
		{Type: "pipeline.step", Body: []byte("load")},
	} {
		if err := ch.PublishWithContext(ctx, "", queue, false, false, *step); err != nil {
			return err
		}
	}
	return nil
}
