// Package mail hands mails to the mail server's queue.
package mail

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/notifier/publish"
)

// Mailer publishes mails through whatever looks like a channel.
type Mailer struct {
	ch    publish.Channel
	queue string
}

// New returns a mailer.
func New(ch publish.Channel, queue string) *Mailer { return &Mailer{ch: ch, queue: queue} }

// Mail is one mail.
type Mail struct {
	To, Subject, Text string
}

// Send hands over one mail. It must not get lost.
func (m *Mailer) Send(ctx context.Context, mail Mail) error {
	err := m.ch.PublishWithContext(ctx, "", m.queue, true, false, amqp.Publishing{
		Headers:      amqp.Table{"to": mail.To, "subject": mail.Subject},
		DeliveryMode: amqp.Persistent,
		Type:         "mail.send",
		Body:         []byte(mail.Text),
	})
	if err != nil {
		return fmt.Errorf("mail to %s: %w", mail.To, err)
	}
	return nil
}

// SendAll hands over many mails, up to the first that fails.
func (m *Mailer) SendAll(ctx context.Context, mails ...Mail) (sent int, err error) {
	for _, mail := range mails {
		msg := amqp.Publishing{Type: "mail.bulk", Headers: amqp.Table{"to": mail.To}, Body: []byte(mail.Text)}
		if err := m.ch.PublishWithContext(ctx, "", m.queue, false, false, msg); err != nil {
			return sent, err
		}
		sent++
	}
	return sent, nil
}
