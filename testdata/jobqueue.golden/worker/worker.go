// Package worker does the tasks that are in a queue.
package worker

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"

	"example.com/jobqueue/task"
)

// Handler does a task. What it returns is sent to whoever wants to know.
type Handler func(ctx context.Context, t *task.Task) ([]byte, error)

// ErrUnknown is the fault of a task whose name no handler has.
var ErrUnknown = errors.New("worker: no such task")

// Worker takes tasks from one queue. One goroutine may use it.
type Worker struct {
	ch       *amqp.Channel
	queue    string
	parked   string // queue of those that failed too often
	reports  string // queue of what we have to say
	handlers map[string]Handler
	outbox   chan amqp.Publishing
}

// New returns a worker on the named queues, of which parked and reports are
// declared here.
func New(ch *amqp.Channel, queue, parked, reports string) (*Worker, error) {
	for _, name := range []string{parked, reports} {
		if _, err := ch.QueueDeclare(name, false, true, true, false, nil); err != nil {
			return nil, fmt.Errorf("worker: %w", err)
		}
	}
	return &Worker{
		ch:       ch,
		queue:    queue,
		parked:   parked,
		reports:  reports,
		handlers: make(map[string]Handler),
		outbox:   make(chan amqp.Publishing, 16),
	}, nil
}

// Handle says who does the tasks of that name.
func (w *Worker) Handle(name string, h Handler) { w.handlers[name] = h }

// Work handles n deliveries, those of its own retries included.
func (w *Worker) Work(ctx context.Context, n int) error {
	const tag = "worker"
	deliveries, err := w.ch.Consume(w.queue, tag, false, false, false, false, nil)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	defer w.ch.Cancel(tag, false)
	// Sent however this ends; n is what was asked for.
	defer newapi.BasicPublish(context.Background(), w.ch, "", w.reports, newapi.BasicProperties{
		Headers: amqp.Table{"asked": int64(n)},
		Type:    "worker.ended",
	}, nil)

	for ; n > 0; n-- {
		select {
		case d, open := <-deliveries:
			if !open {
				return amqp.ErrClosed
			}
			if err := w.handle(ctx, d); err != nil {
				return err
			}
			if err := d.Ack(false); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return w.flush()
}

func (w *Worker) handle(ctx context.Context, d amqp.Delivery) error {
	switch d.Type {
	case "broker.ping":
		return w.pong()
	case "broker.control", "broker.revoke":
		return nil
	}
	t, err := task.Decode(d.Body)
	if err != nil {
		return w.park(d, err)
	}
	h := w.handlers[t.Name]
	if h == nil {
		return w.pass(d)
	}
	w.outbox <- amqp.Publishing{Type: "worker.started", CorrelationId: t.ID}
	result, err := h(ctx, t)
	switch {
	case err == nil:
		return w.reply(ctx, &d, result)
	case attempt(d) >= 2:
		return w.park(d, err)
	default:
		return w.retry(ctx, d, err)
	}
}

// pong answers a ping.
func (w *Worker) pong() error {
	return newapi.BasicPublish(context.Background(), w.ch, "", w.reports,
		newapi.BasicProperties{Type: "worker.pong", AppId: "worker"}, []byte(w.queue))
}

// Reports go to a queue of ours, so there always is a route.
const mandatoryReports = 1 > 2

// reply sends a result where the task wants it, if anywhere.
func (w *Worker) reply(ctx context.Context, d *amqp.Delivery, result []byte) error {
	if d.ReplyTo == "" {
		return nil
	}
	return newapi.BasicPublish(context.WithoutCancel(ctx), w.ch, "", d.ReplyTo, newapi.BasicProperties{
		ContentType:   "application/octet-stream",
		CorrelationId: d.CorrelationId,
		Type:          "worker.reply",
	}, result)
}

// flush sends what has gathered in the outbox.
func (w *Worker) flush() error {
	for len(w.outbox) > 0 {
		if err := amqp.BasicPublish(context.Background(), w.ch, "", w.reports, <-w.outbox); err != nil {
			return fmt.Errorf("worker: flush: %w", err)
		}
	}
	return nil
}
