package worker

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
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
	if err := w.ch.PublishWithContext(ctx, "", w.queue, false, false, amqp.Publishing{
		Headers:      d.Headers, // with what others have put there
		Body:         d.Body,
		ContentType:  d.ContentType,
		DeliveryMode: d.DeliveryMode,
		Priority:     d.Priority,
		ReplyTo:      d.ReplyTo,
		MessageId:    d.MessageId,
		Type:         "worker.retry",
	}); err != nil {
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
	return w.ch.Publish(
		"",       // default exchange
		w.parked, // routing key
		false,    // mandatory
		false,    // immediate
		msg,
	)
}

// pass gives a task that we cannot do to another worker. One that was here
// before comes back to its sender.
func (w *Worker) pass(d amqp.Delivery) error {
	return w.ch.Publish(
		d.Exchange,
		d.RoutingKey+".other",
		d.Redelivered, false, // bounces when it has been around
		amqp.Publishing{
			Headers:     d.Headers,
			ContentType: d.ContentType,
			MessageId:   d.MessageId,
			Type:        "worker.pass",
			Body:        d.Body,
		},
	)
}
