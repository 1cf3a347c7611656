package broker

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Event is something that happened to a task.
type Event struct {
	Task  string
	State string
	Note  string
}

// ErrNotConfirmed is what an event gets that the broker refuses.
var ErrNotConfirmed = errors.New("broker: not confirmed")

// toMessage returns nil for an event that nobody needs to hear of.
func toMessage(e Event) *amqp.Publishing {
	if e.State == "" {
		return nil
	}
	return &amqp.Publishing{
		ContentType: "text/plain",
		MessageId:   "broker.event#" + e.Task,
		Headers:     amqp.Table{"state": e.State},
		Body:        []byte(e.Note),
	}
}

// Reporter reports events on a channel in confirm mode.
type Reporter struct {
	ch       *amqp.Channel
	exchange string
}

// NewReporter opens the channel.
func NewReporter(conn *amqp.Connection, cfg Config) (*Reporter, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	if err := ch.Confirm(false); err != nil {
		return nil, err
	}
	return &Reporter{ch: ch, exchange: cfg.Events}, nil
}

// Report publishes an event and returns its confirmation, to be waited for.
func (r *Reporter) Report(e Event) (*amqp.DeferredConfirmation, error) {
	return amqp.BasicPublishDeferred(context.Background(), r.ch, r.exchange, "", *toMessage(e))
}

// ReportAll publishes events and waits until the broker has them all.
func (r *Reporter) ReportAll(ctx context.Context, events ...Event) error {
	var pending []*amqp.DeferredConfirmation
	for _, e := range events {
		dc, err := newapi.BasicPublishDeferred(context.WithoutCancel(ctx), r.ch, r.exchange, "", newapi.BasicProperties{
			CorrelationId: e.Task,
			Type:          "broker.report",
		}, []byte(e.State))
		if err != nil {
			return fmt.Errorf("report %s: %w", e.Task, err)
		}
		pending = append(pending, dc)
	}
	for _, dc := range pending {
		acked, err := dc.WaitContext(ctx)
		if err != nil {
			return err
		}
		if !acked {
			return ErrNotConfirmed
		}
	}
	return nil
}

// Summary publishes how a run went; what it says depends on how that was.
func (r *Reporter) Summary(ctx context.Context, done, failed int) error {
	p := amqp.Publishing{
		Type:    "broker.summary",
		Headers: amqp.Table{"done": int64(done)},
		Body:    []byte(fmt.Sprintf("%d done", done)),
	}
	if failed > 0 {
		p.Priority = 5
		p.Headers["failed"] = int64(failed)
	}
	dc, err := newapi.BasicPublishDeferred(context.Background(), r.ch, r.exchange, "", amqp.Header(p), p.Body)
	if err != nil {
		return err
	}
	if acked, err := dc.WaitContext(ctx); err != nil || !acked {
		return errors.Join(ErrNotConfirmed, err)
	}
	return nil
}
