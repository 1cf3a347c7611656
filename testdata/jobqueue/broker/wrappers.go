package broker

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Publisher is what the other packages get to see of a broker.
type Publisher interface {
	Push(queue string, msg amqp.Publishing) error
}

// Push puts a message straight into a queue.
func (b *Broker) Push(queue string, msg amqp.Publishing) error {
	return b.ch.Publish("", queue, false, false, msg)
}

// PushTo is Push for those who have a channel and no broker.
func PushTo(ch *amqp.Channel, msg *amqp.Publishing, queue string) error {
	if msg.DeliveryMode == 0 {
		msg.DeliveryMode = amqp.Persistent
	}
	return ch.Publish("", queue, false, false, *msg)
}

// publish has the message first, as the handlers that it is passed to want it.
func publish(ctx context.Context, msg amqp.Publishing, bounce bool, exchange, key string, ch *amqp.Channel) error {
	return ch.PublishWithContext(ctx, exchange, key, bounce, false, msg)
}

// Route sends a body to whoever listens for key; it comes back if nobody does
// and bounce is set.
func (b *Broker) Route(ctx context.Context, key string, body []byte, bounce bool) error {
	return publish(ctx, amqp.Publishing{Type: "broker.route", Body: body}, bounce, b.cfg.Exchange, key, b.ch)
}

// Announce is Route for text, and always bounces.
func (b *Broker) Announce(ctx context.Context, key, text string) error {
	msg := amqp.Publishing{
		ContentType:     "text/plain",
		ContentEncoding: "utf-8",
		Type:            "broker.announce",
		Body:            []byte(text),
	}
	return b.ch.PublishWithContext(ctx, b.cfg.Exchange, key, true, false, msg)
}
