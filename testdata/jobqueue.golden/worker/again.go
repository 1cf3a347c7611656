package worker

import (
	"context"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// The headers of a task that has failed.
const (
	attemptHeader = "x-attempt"
	errorHeader   = "x-error"
)

// attempt says how often a delivery has been tried.
func attempt(d amqp.Delivery) int64 {
	n, _ := d.Headers[attemptHeader].(int64)
	return n
}

// retry puts a task at the end of the queue it came from.
func (w *Worker) retry(ctx context.Context, d amqp.Delivery, cause error) error {
	if d.Headers == nil {
		d.Headers = make(amqp.Table)
	}
	d.Headers[attemptHeader] = attempt(d) + 1
	d.Headers[errorHeader] = cause.Error()
	if err := newapi.BasicPublish(context.WithoutCancel(ctx), w.ch, "", w.queue, newapi.BasicProperties{
		Headers:      d.Headers, // with what others have put there
		ContentType:  d.ContentType,
		DeliveryMode: d.DeliveryMode,
		Priority:     d.Priority,
		ReplyTo:      d.ReplyTo,
		MessageId:    d.MessageId,
		Type:         "worker.retry",
	}, d.Body); err != nil {
		return fmt.Errorf("worker: retry %s: %w", d.MessageId, err)
	}
	return nil
}

// park puts a task aside for a human.
func (w *Worker) park(d amqp.Delivery, cause error) error {
	msg := amqp.Publishing{
		Headers:      d.Headers,
		ContentType:  d.ContentType,
		DeliveryMode: amqp.Persistent,
		MessageId:    d.MessageId,
		Type:         "worker.park",
		Body:         d.Body,
	}
	if msg.Headers == nil {
		msg.Headers = make(amqp.Table)
	}
	msg.Headers[errorHeader] = cause.Error()
	return newapi.BasicPublish(context.Background(), w.ch,
		"",       // default exchange
		w.parked, // routing key
		amqp.Header(msg),
		msg.Body,
	)
}

// pass gives a task that we cannot do to another worker. One that was here
// before comes back to its sender.
func (w *Worker) pass(d amqp.Delivery) error {
	return newapi.BasicPublish(context.Background(), w.ch,
		d.Exchange,
		d.RoutingKey+".other",
		newapi.BasicProperties{
			Headers:     d.Headers,
			ContentType: d.ContentType,
			MessageId:   d.MessageId,
			Type:        "worker.pass",
		},
		d.Body,
		newapi.FlagsIf(d.Redelivered, false), // bounces when it has been around
	)
}
