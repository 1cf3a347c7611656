// Package notify tells customers about their trips.
package notify

import (
	"fmt"

	"github.com/streadway/amqp"
)

// publisher is a channel, or what tests put in its place.
type publisher interface {
	Publish(exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
}

// Notifier sends notifications to a queue.
type Notifier struct {
	pub   publisher
	queue string
}

// New returns a notifier that publishes on ch.
func New(ch *amqp.Channel, queue string) *Notifier { return &Notifier{pub: ch, queue: queue} }

// Mail sends a mail.
func (n *Notifier) Mail(to, subject string) error {
	err := n.pub.Publish("", n.queue, false, false, amqp.Publishing{
		Headers: amqp.Table{"to": to},
		Type:    "notify.mail",
		Body:    []byte(subject),
	})
	if err != nil {
		return fmt.Errorf("mail to %s: %w", to, err)
	}
	return nil
}

// Text sends a text message, if there is something to say.
func (n *Notifier) Text(number, text string) error {
	if text == "" {
		return nil
	}
	msg := amqp.Publishing{ReplyTo: number, Type: "notify.text", Body: []byte(text)}
	return n.pub.Publish("", n.queue, false, false, msg)
}

// Everywhere sends one message through all of some channels.
func Everywhere[C publisher](channels []C, queue string, msg amqp.Publishing) error {
	for i, c := range channels {
		if err := c.Publish("", queue, false, false, msg); err != nil {
			return fmt.Errorf("channel %d: %w", i, err)
		}
	}
	return nil
}

// Once is a function that publishes to the notifier's queue what is given to it,
// and closes ch.
func Once(ch *amqp.Channel, queue string) func(amqp.Publishing) error {
	publish, done := ch.Publish, ch.Close
	return func(msg amqp.Publishing) error {
		if err := publish("", queue, false, false, msg); err != nil {
			return err
		}
		return done()
	}
}
