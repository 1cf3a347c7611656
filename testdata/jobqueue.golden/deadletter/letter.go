// Package deadletter looks after messages that nobody could deal with.
package deadletter

import (
	"context"
	"fmt"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Letter is a message in the dead-letter queue.
type Letter amqp.Publishing

// FromDelivery makes a letter of what was delivered. The header map is the
// delivery's own.
func FromDelivery(d amqp.Delivery) *Letter {
	return &Letter{
		Headers:     d.Headers,
		ContentType: d.ContentType,
		MessageId:   d.MessageId,
		Type:        d.Type,
		Body:        d.Body,
	}
}

// Stamp notes when and why a letter was put aside.
func (l *Letter) Stamp(reason string, at time.Time) {
	if l.Headers == nil {
		l.Headers = amqp.Table{}
	}
	l.Headers["reason"] = reason
	l.Timestamp = at
}

// Office moves letters between queues.
type Office struct {
	Channel *amqp.Channel
	Box     string // queue of dead letters
	Now     func() time.Time
}

// File puts a letter into the box.
func (o *Office) File(l *Letter, reason string) error {
	l.Stamp(reason, o.Now())
	l.Type = "deadletter.file"
	return newapi.BasicPublish(context.Background(), o.Channel, "", o.Box, amqp.Header(*l), l.Body)
}

// Resend gives a letter a second chance.
func (o *Office) Resend(l Letter, queue string) error {
	l.Type = "deadletter.resend"
	l.DeliveryMode = amqp.Persistent
	if err := newapi.BasicPublish(context.Background(), o.Channel, "", queue, amqp.Header(l), l.Body); err != nil {
		return fmt.Errorf("resend to %s: %w", queue, err)
	}
	return nil
}

// Copies sends every letter to every reader.
func (o *Office) Copies(readers []string, letters ...amqp.Publishing) error {
	for i := range letters {
		letters[i].Type = "deadletter.copy"
		for _, queue := range readers {
			if err := amqp.BasicPublish(context.Background(), o.Channel, "", queue, letters[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Certificate is a letter with a number that the archive gives.
type Certificate struct {
	amqp.Publishing
	Number int
}

// Archive hands out certificates.
func (o *Office) Archive(queue string, certificates ...Certificate) error {
	for _, c := range certificates {
		c.Publishing.Type = "deadletter.archive"
		c.Publishing.MessageId = fmt.Sprint(c.Number)
		if err := newapi.BasicPublish(context.Background(), o.Channel, "", queue, amqp.Header(c.Publishing), c.Publishing.Body); err != nil {
			return fmt.Errorf("certificate %d: %w", c.Number, err)
		}
	}
	return nil
}
