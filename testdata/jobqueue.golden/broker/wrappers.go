package broker

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Publisher is what the other packages get to see of a broker.
type Publisher interface {
	Push(queue string, msg amqp.Publishing) error
}

// Push puts a message straight into a queue.
func (b *Broker) Push(queue string, msg amqp.Publishing) error {
	return newapi.BasicPublish(context.Background(), b.ch, "", queue, amqp.Header(msg), msg.Body)
}

// PushTo is Push for those who have a channel and no broker.
func PushTo(ch *amqp.Channel, msg *amqp.Publishing, queue string) error {
	if msg.DeliveryMode == 0 {
		msg.DeliveryMode = amqp.Persistent
	}
	return newapi.BasicPublish(context.Background(), ch, "", queue, amqp.Header(*msg), msg.Body)
}

// publish has the message first, as the handlers that it is passed to want it.
func publish(ctx context.Context, msg amqp.Publishing, bounce bool, exchange, key string, ch *amqp.Channel) error {
	return newapi.BasicPublish(context.WithoutCancel(ctx), ch, exchange, key, amqp.Header(msg), msg.Body, newapi.FlagsIf(bounce, false))
}

// Route sends a body to whoever listens for key; it comes back if nobody does
// and bounce is set.
func (b *Broker) Route(ctx context.Context, key string, body []byte, bounce bool) error {
	return publish(ctx, amqp.Publishing{Type: "broker.route", Body: body}, bounce, b.cfg.Exchange, key, b.ch)
}

// Announce is Route for text, and always bounces.
func (b *Broker) Announce(ctx context.Context, key, text string) error {
	msg := newapi.BasicProperties{
		ContentType:     "text/plain",
		ContentEncoding: "utf-8",
		Type:            "broker.announce",
	}
	return newapi.BasicPublish(context.WithoutCancel(ctx), b.ch, b.cfg.Exchange, key, msg, []byte(text), newapi.Mandatory)
}
