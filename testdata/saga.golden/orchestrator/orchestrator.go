// Package orchestrator leads a trip through its steps, and back again when one
// of them fails.
package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"

	"example.com/saga/bus"
)

// Step is one thing to book.
type Step struct {
	Name string
	Do   string // queue of the service
	Undo string // queue for its cancellations, "" if there is nothing to undo
}

// message is what the service gets.
func (s Step) message(trip, replyTo string) amqp.Publishing {
	return amqp.Publishing{
		CorrelationId: trip,
		ReplyTo:       replyTo,
		Type:          "orchestrator.step",
		Body:          []byte(s.Name),
	}
}

// ErrFailed is returned for a trip that was taken back.
var ErrFailed = errors.New("orchestrator: trip failed")

// Orchestrator leads one trip at a time.
type Orchestrator struct {
	bus     *bus.Session
	queue   string // of replies
	replies <-chan amqp.Delivery
	patrons string // queue of those who have ordered a trip

	// headers go into every message of a trip; services add to them.
	headers amqp.Table
}

// New listens for replies on a queue.
func New(s *bus.Session, queue, patrons string) (*Orchestrator, error) {
	replies, err := s.Listen(queue)
	if err != nil {
		return nil, fmt.Errorf("orchestrator: %w", err)
	}
	if err := s.Queue(patrons); err != nil {
		return nil, fmt.Errorf("orchestrator: %w", err)
	}
	return &Orchestrator{bus: s, queue: queue, replies: replies, patrons: patrons}, nil
}

// Run leads a trip through its steps.
func (o *Orchestrator) Run(trip string, steps []Step, limit time.Duration) error {
	o.headers = amqp.Table{"trip": trip, "steps": int32(len(steps))}
	if err := o.start(trip, steps, limit); err != nil {
		return err
	}
	for i, step := range steps {
		if err := amqp.BasicPublish(context.Background(), o.bus.Channel, "", step.Do, step.message(trip, o.queue)); err != nil {
			return fmt.Errorf("step %s of trip %s: %w", step.Name, trip, err)
		}
		answer, err := o.wait(trip, limit)
		if err != nil {
			return err
		}
		if answer != "ok" {
			if err := o.compensate(trip, steps[:i]); err != nil {
				return err
			}
			return o.finish(trip, errors.New(answer))
		}
	}
	return o.finish(trip, nil)
}

// start records what is going to happen, and sets the alarm.
func (o *Orchestrator) start(trip string, steps []Step, limit time.Duration) error {
	plan, err := json.Marshal(steps)
	if err != nil {
		return err
	}
	if err := newapi.BasicPublish(context.Background(), o.bus.Channel,
		bus.Events,   // exchange
		"trip.start", // routing key
		newapi.BasicProperties{
			Headers:     o.headers,
			ContentType: "application/json",
			MessageId:   trip,
			Type:        "orchestrator.start",
		},
		plan,
	); err != nil {
		return fmt.Errorf("start trip %s: %w", trip, err)
	}
	// Read by a human, if it is still there after the limit.
	return newapi.BasicPublish(context.Background(), o.bus.Channel, "", o.patrons, newapi.BasicProperties{
		Expiration: strconv.FormatInt(limit.Milliseconds(), 10),
		Priority:   1,
		Type:       "orchestrator.alarm",
	}, []byte("trip "+trip+" takes long"))
}

func (o *Orchestrator) wait(trip string, limit time.Duration) (string, error) {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		select {
		case d, ok := <-o.replies:
			if !ok {
				return "", amqp.ErrClosed
			}
			if d.CorrelationId == trip {
				return string(d.Body), nil
			}
		case <-timeout.C:
			return "", fmt.Errorf("trip %s: no answer in %v", trip, limit)
		}
	}
}

// compensate takes back what was done, the last first.
func (o *Orchestrator) compensate(trip string, done []Step) error {
	msg := amqp.Publishing{
		Headers:       o.headers,
		DeliveryMode:  amqp.Persistent,
		CorrelationId: trip,
		Type:          "orchestrator.compensate",
	}
	for i := len(done) - 1; i >= 0; i-- {
		if done[i].Undo == "" {
			continue
		}
		msg.Headers["undo"] = int32(i)
		msg.Body = []byte(done[i].Name)
		if err := newapi.BasicPublish(context.Background(), o.bus.Channel, "", done[i].Undo, amqp.Header(msg), msg.Body); err != nil {
			return fmt.Errorf("undo %s of trip %s: %w", done[i].Name, trip, err)
		}
	}
	return nil
}

// finish tells the patrons how it went. They may be many and slow: three tries.
func (o *Orchestrator) finish(trip string, failure error) error {
	var msg amqp.Publishing
	switch {
	case failure == nil:
		msg = amqp.Publishing{Type: "orchestrator.finish", Body: []byte(trip + " booked")}
	default:
		msg = amqp.Publishing{
			Type:     "orchestrator.finish",
			Priority: 2,
			Headers:  amqp.Table{"reason": failure.Error()},
			Body:     []byte(trip + " failed"),
		}
	}
	if err := newapi.BasicPublish(context.Background(), o.bus.Channel, "", o.patrons, amqp.Header(msg), msg.Body); err != nil {
		return err
	}
	var err error
	for try := 1; try <= 3; try++ {
		err = newapi.BasicPublish(context.Background(), o.bus.Channel, bus.Events, "trip.end", newapi.BasicProperties{
			Headers: amqp.Table{"try": int64(try)},
			Type:    "orchestrator.end",
		}, []byte(trip))
		if err == nil {
			break
		}
	}
	if err == nil && failure != nil {
		err = fmt.Errorf("%w: %v", ErrFailed, failure)
	}
	return err
}
