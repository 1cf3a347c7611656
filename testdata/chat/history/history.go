// Package history remembers what was said.
package history

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

// History is what was said in a room. Messages and deliveries share their
// headers: what is noted in one is noted in all.
type History struct {
	ch       *amqp.Channel
	said     []amqp.Delivery
	messages []amqp.Publishing
}

// New returns a history in which nothing was said.
func New(ch *amqp.Channel) *History { return &History{ch: ch} }

// Add remembers deliveries.
func (h *History) Add(deliveries ...amqp.Delivery) {
	for _, d := range deliveries {
		h.said = append(h.said, d)
		h.messages = append(h.messages, amqp.Publishing{Headers: d.Headers, Type: "history.page", Body: d.Body})
	}
}

// Replay says all of it again, to one queue.
func (h *History) Replay(ctx context.Context, queue string) error {
	for n, d := range h.said {
		if d.Headers == nil {
			d.Headers = amqp.Table{}
		}
		d.Headers["replay"] = int64(n)
		if err := h.ch.PublishWithContext(ctx, "", queue, false, false, amqp.Publishing{
			Headers:     d.Headers,
			ContentType: d.ContentType,
			Timestamp:   d.Timestamp,
			MessageId:   fmt.Sprintf("history.replay#%d", n),
			Body:        d.Body,
		}); err != nil {
			return fmt.Errorf("history: message %d: %w", n, err)
		}
		d.Headers["replayed"] = true
	}
	return nil
}

// Page says some of it again.
func (h *History) Page(ctx context.Context, queue string, from, to int) error {
	for i := from; i < to && i < len(h.messages); i++ {
		if err := h.ch.PublishWithContext(ctx, "", queue, false, false, h.messages[i]); err != nil {
			return err
		}
	}
	return nil
}

// Frame says what comes before and after a page.
func (h *History) Frame(ctx context.Context, queue string) error {
	frame := struct{ before, after amqp.Publishing }{
		before: amqp.Publishing{Type: "history.before", Priority: 1},
		after:  amqp.Publishing{Type: "history.after", Body: []byte("that was all")},
	}
	if err := h.ch.PublishWithContext(ctx, "", queue, false, false, frame.before); err != nil {
		return err
	}
	if err := h.Page(ctx, queue, 0, len(h.messages)); err != nil {
		return err
	}
	return h.ch.PublishWithContext(ctx, "", queue, false, false, frame.after)
}
