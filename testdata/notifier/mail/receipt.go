package mail

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

// confirming is a channel in confirm mode.
type confirming interface {
	PublishWithDeferredConfirmWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) (*amqp.DeferredConfirmation, error)
}

var _ confirming = (*amqp.Channel)(nil)

// Registered hands over a mail and returns the number under which the broker
// confirms it.
func Registered(ctx context.Context, ch confirming, queue string, mail Mail) (uint64, error) {
	dc, err := ch.PublishWithDeferredConfirmWithContext(ctx, "", queue, false, false, amqp.Publishing{
		Headers: amqp.Table{"to": mail.To},
		Type:    "mail.registered",
		Body:    []byte(mail.Text),
	})
	if err != nil {
		return 0, fmt.Errorf("mail to %s: %w", mail.To, err)
	}
	if _, err := dc.WaitContext(ctx); err != nil {
		return 0, err
	}
	return dc.DeliveryTag, nil
}
