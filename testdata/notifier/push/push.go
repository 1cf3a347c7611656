// Package push sends push notifications to phones.
package push

import (
	"context"
	"encoding/json"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/notifier/sns"
)

// Notification is what a phone shows.
type Notification struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Device string `json:"-"`
	Urgent bool   `json:"-"`
}

// templates are the notifications that are always the same.
var templates = map[string]amqp.Publishing{
	"welcome": {Type: "push.template", ContentType: "text/plain", Body: []byte("Welcome!")},
	"goodbye": {Type: "push.template", ContentType: "text/plain", Body: []byte("See you!"), Priority: 1},
}

// Pusher uses two channels: one of them is for what is urgent.
type Pusher struct {
	slow, fast *amqp.Channel
	Exchange   string
	Elsewhere  *sns.Client // for phones that do not read from RabbitMQ
}

// New declares the exchange.
func New(slow, fast *amqp.Channel, exchange string) (*Pusher, error) {
	if err := slow.ExchangeDeclare(exchange, amqp.ExchangeTopic, false, true, false, false, nil); err != nil {
		return nil, fmt.Errorf("push: %w", err)
	}
	return &Pusher{slow: slow, fast: fast, Exchange: exchange}, nil
}

func (p *Pusher) channel(n Notification) *amqp.Channel {
	if n.Urgent {
		return p.fast
	}
	return p.slow
}

func (p *Pusher) message(n Notification) (msg amqp.Publishing) {
	msg.Type = "push.silent"
	msg.Body, _ = json.Marshal(n) // two strings
	return msg
}

// Alert shows a notification. One that is urgent comes back if no phone is on.
func (p *Pusher) Alert(n Notification) error {
	return p.channel(n).Publish(p.Exchange, n.Device, n.Urgent, false, amqp.Publishing{
		Type: "push.alert",
		Body: []byte(n.Text),
	})
}

// Silent sends a notification that is not shown.
func (p *Pusher) Silent(ctx context.Context, n Notification) error {
	return p.slow.PublishWithContext(ctx, p.Exchange, n.Device, false, false, p.message(n))
}

// Template sends one of the templates.
func (p *Pusher) Template(ctx context.Context, device, name string) error {
	if _, ok := templates[name]; !ok {
		return fmt.Errorf("push: no template %q", name)
	}
	return p.slow.PublishWithContext(ctx, p.Exchange, device, false, false, templates[name])
}

// Batch sends many texts to one device.
func (p *Pusher) Batch(ctx context.Context, device string, texts ...string) error {
	batch := make([]amqp.Publishing, len(texts))
	for i, text := range texts {
		batch[i] = amqp.Publishing{Type: "push.batch", Body: []byte(text)}
	}
	for i := range batch {
		if err := p.slow.PublishWithContext(ctx, p.Exchange, device, false, false, batch[i]); err != nil {
			return fmt.Errorf("push: %d of %d sent: %w", i, len(batch), err)
		}
	}
	return nil
}

// Topics tells the devices of every topic something, and then asks for a receipt.
func (p *Pusher) Topics(ctx context.Context, text string, topics ...string) error {
	for _, topic := range topics {
		for _, msg := range []amqp.Publishing{
			{Type: "push.topic", Body: []byte(text)},
			{Type: "push.topic", ReplyTo: "receipts", Headers: amqp.Table{"topic": topic}},
		} {
			if err := p.slow.PublishWithContext(ctx, p.Exchange, "topic."+topic, false, false, msg); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cloud sends a notification to a phone that is elsewhere.
func (p *Pusher) Cloud(ctx context.Context, n Notification) (string, error) {
	out, err := p.Elsewhere.PublishWithContext(ctx, &sns.PublishInput{Message: &n.Text, TargetArn: &n.Device})
	if err != nil {
		return "", err
	}
	return *out.MessageId, nil
}
