// Package participant is a service that takes part in trips: it books something,
// or cancels it.
package participant

import (
	"fmt"
	"sync"

	"github.com/streadway/amqp"

	"example.com/saga/bus"
)

// Service books one kind of thing.
type Service struct {
	*bus.Session

	kind  string
	stock int

	mu     sync.Mutex
	ledger []string
}

// New returns a service with so much to give.
func New(s *bus.Session, kind string, stock int) *Service {
	return &Service{Session: s, kind: kind, stock: stock}
}

// Ledger returns what the service has done.
func (s *Service) Ledger() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.ledger...)
}

func (s *Service) write(format string, args ...interface{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger = append(s.ledger, fmt.Sprintf(format, args...))
}

// Serve handles n requests from its two queues, and then tells the auditors.
func (s *Service) Serve(n int, requests, cancellations <-chan amqp.Delivery) error {
	for ; n > 0; n-- {
		var err error
		select {
		case d := <-requests:
			err = s.book(d)
		case d := <-cancellations:
			err = s.cancel(d)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.kind, err)
		}
	}
	return s.audit()
}

// book gives one away.
func (s *Service) book(d amqp.Delivery) error {
	if s.stock == 0 {
		s.write("refused %s", d.CorrelationId)
		return s.refuse(d, fmt.Errorf("no %s left", s.kind))
	}
	s.stock--
	s.write("booked %s", d.CorrelationId)
	return s.Publish("", d.ReplyTo, false, false, amqp.Publishing{
		CorrelationId: d.CorrelationId,
		AppId:         s.kind,
		Type:          "participant.booked",
		Body:          []byte("ok"),
	})
}

// refuse says why not. Somebody who has asked twice is told so.
func (s *Service) refuse(d amqp.Delivery, why error) error {
	answer := amqp.Publishing{
		CorrelationId: d.CorrelationId,
		AppId:         s.kind,
		Type:          "participant.refused",
		Body:          []byte(why.Error()),
	}
	if d.Redelivered {
		answer.Headers = amqp.Table{"again": true}
	}
	return s.Session.Publish("", d.ReplyTo, false, false, answer)
}

// note is a message and where it goes.
type note struct {
	amqp.Publishing
	key string
}

// cancel takes one back, and passes the cancellation on as it came: with the
// sender's headers, to which it adds its own.
func (s *Service) cancel(d amqp.Delivery) error {
	s.stock++
	s.write("cancelled %s", d.CorrelationId)
	if d.Headers == nil {
		d.Headers = amqp.Table{}
	}
	d.Headers["cancelled-by"] = s.kind
	n := &note{
		Publishing: amqp.Publishing{Headers: d.Headers, CorrelationId: d.CorrelationId, Type: "participant.cancelled", Body: d.Body},
		key:        "trip.cancelled." + s.kind,
	}
	return s.Publish(bus.Events, n.key, false, false, n.Publishing)
}

// audit publishes the ledger while the books are closed.
func (s *Service) audit() error {
	done := make(chan error, 1)
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		done <- s.Channel.Publish(bus.Events, "audit."+s.kind, false, false, amqp.Publishing{
			Headers: amqp.Table{"entries": int32(len(s.ledger))},
			Type:    "participant.audit",
			Body:    []byte(fmt.Sprint(s.ledger)),
		})
	}()
	return <-done
}
