package bus

import (
	"context"
	"fmt"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// epoch is the time of every message: the services are tested by replaying.
var epoch = time.Unix(1600000000, 0).UTC()

// Command asks the service behind a queue to do something.
func (s *Session) Command(queue, trip, replyTo string, body []byte) error {
	return newapi.BasicPublish(context.Background(), s.Channel, "", queue, newapi.BasicProperties{
		DeliveryMode:  amqp.Persistent,
		CorrelationId: trip,
		ReplyTo:       replyTo,
		Type:          "bus.command",
	}, body)
}

// Event tells everybody who wants to know.
func (s *Session) Event(trip, what string) error {
	err := newapi.BasicPublish(context.Background(), s.Channel, Events, "trip."+what, newapi.BasicProperties{
		Headers:   amqp.Table{"trip": trip, "from": s.name},
		Timestamp: epoch,
		Type:      "bus.event",
	}, []byte(what))
	if err != nil {
		return fmt.Errorf("event %s of trip %s: %w", what, trip, err)
	}
	return nil
}

// Reply answers a command.
func (s *Session) Reply(d amqp.Delivery, body string) error {
	if d.ReplyTo == "" {
		return nil
	}
	msg := newapi.BasicProperties{
		ContentType:   "text/plain",
		CorrelationId: d.CorrelationId,
		Type:          "bus.reply",
	}
	return newapi.BasicPublish(context.Background(), s.Channel, "", d.ReplyTo, msg, []byte(body))
}

// Tx is a session in an AMQP transaction: what is added arrives when it is
// committed, all of it or nothing.
type Tx struct {
	*Session

	queue string
	added int
}

// Begin puts the session's channel into transactional mode, for good.
func (s *Session) Begin(queue string) (*Tx, error) {
	if err := s.Tx(); err != nil {
		return nil, err
	}
	return &Tx{Session: s, queue: queue}, nil
}

// Add adds a message.
func (t *Tx) Add(msg amqp.Publishing) error {
	t.added++
	return newapi.BasicPublish(context.Background(), t.Session.Channel, "", t.queue, amqp.Header(msg), msg.Body)
}

// Commit returns how many messages have arrived.
func (t *Tx) Commit() (int, error) {
	n := t.added
	t.added = 0
	return n, t.TxCommit()
}
