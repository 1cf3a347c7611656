// Package digest gathers notifications for those who want only one a day.
package digest

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// MessageBuilder builds one message in steps.
type MessageBuilder struct {
	msg amqp.Publishing
	err error
}

// NewMessage returns a builder.
func NewMessage(typ string) *MessageBuilder {
	return &MessageBuilder{msg: amqp.Publishing{Type: typ}}
}

// JSON sets the body.
func (b *MessageBuilder) JSON(v any) *MessageBuilder {
	b.msg.ContentType = "application/json"
	b.msg.Body, b.err = json.Marshal(v)
	return b
}

// At sets the time.
func (b *MessageBuilder) At(t time.Time) *MessageBuilder {
	b.msg.Timestamp = t
	return b
}

// Message returns the message.
func (b *MessageBuilder) Message() amqp.Publishing { return b.msg }

// Publish publishes the message to a queue.
func (b *MessageBuilder) Publish(ctx context.Context, ch *amqp.Channel, queue string) error {
	if b.err != nil {
		return b.err
	}
	return ch.PublishWithContext(ctx, "", queue, false, false, b.msg)
}

// Digest is one day.
type Digest struct {
	Channel *amqp.Channel
	Queue   string
	Day     time.Time
	items   []string
}

// Add adds a line.
func (d *Digest) Add(ctx context.Context, line string) error {
	d.items = append(d.items, line)
	return NewMessage("digest.item").JSON(line).At(d.Day).Publish(ctx, d.Channel, d.Queue)
}

// Cover publishes what comes first.
func (d *Digest) Cover(ctx context.Context) error {
	cover := amqp.Publishing{
		ContentType: "text/plain",
		Timestamp:   d.Day,
		Type:        "digest.cover",
		Body:        []byte(d.Day.Format("Monday")),
	}
	if len(d.items) == 0 {
		return nil // nothing to cover
	}
	return d.Channel.PublishWithContext(ctx, "", d.Queue, false, false, cover)
}

// Issue publishes the day.
func (d *Digest) Issue(ctx context.Context) error {
	return d.Channel.PublishWithContext(ctx, "", d.Queue, false, false,
		NewMessage("digest.issue").JSON(d.items).At(d.Day).Message())
}

// Options change how a day ends.
type Options struct {
	Mandatory, Immediate bool
	Footer               string
	KeepFor              time.Duration
}

// End publishes the last message of a day.
func (d *Digest) End(ctx context.Context, o Options) error {
	p := amqp.Publishing{
		Type: "digest.end",
		Body: []byte(strings.Join(d.items, "\n")),
	}
	if o.Footer != "" {
		p.Body = append(p.Body, "\n-- \n"+o.Footer...)
	}
	if o.KeepFor > 0 {
		p.DeliveryMode = amqp.Persistent
		p.Headers = amqp.Table{"keep": o.KeepFor.String()}
	}
	return d.Channel.PublishWithContext(ctx, "", d.Queue, o.Mandatory, o.Immediate, p)
}
