// Package sms sends text messages.
package sms

import (
	"context"
	"fmt"
	"unicode/utf8"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Sender is a channel that knows who is writing.
type Sender struct {
	*amqp.Channel
	From  string
	Queue string
}

// Text sends a text.
func (s Sender) Text(ctx context.Context, number, text string) error {
	return s.PublishWithContext(ctx, "", s.Queue, false, false, amqp.Publishing{
		Headers: amqp.Table{"from": s.From, "to": number, "length": int32(utf8.RuneCountInString(text))},
		ReplyTo: number,
		Type:    "sms.text",
		Body:    []byte(text),
	})
}

// Flash sends a message that is shown at once and not kept. It changes msg.
func (s Sender) Flash(ctx context.Context, msg *amqp.Publishing, mandatory bool) error {
	msg.Priority = 9
	msg.Expiration = "30000"
	err := s.PublishWithContext(ctx, "", s.Queue, mandatory, false, *msg)
	return err
}

// Code sends a code that nobody else may read.
func (s *Sender) Code(number string, code int) error {
	const mandatory, immediate = false, false
	if err := s.Publish("", s.Queue, mandatory, immediate, amqp.Publishing{
		ReplyTo: number,
		UserId:  "guest", // checked by the broker
		Type:    "sms.code",
		Body:    []byte(fmt.Sprintf("%06d", code)),
	}); err != nil {
		return fmt.Errorf("sms: code for %s: %w", number, err)
	}
	return nil
}
