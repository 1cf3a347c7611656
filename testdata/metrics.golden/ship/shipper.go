// Package ship carries points to RabbitMQ in the background.
package ship

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"

	ampq "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"

	"example.com/metrics/point"
)

// ErrStopped is returned to those who come too late.
var ErrStopped = errors.New("ship: stopped")

// Shipper queues points and publishes them from one goroutine.
type Shipper struct {
	ch     *ampq.Channel
	route  string
	queue  chan ampq.Publishing
	urgent chan ampq.Publishing
	batch  []ampq.Publishing

	mu      sync.Mutex
	stopped bool
	done    chan struct{}
	err     error // of the goroutine; read it when done is closed
}

// New returns a shipper to a queue. It must be started.
func New(ch *ampq.Channel, route string) *Shipper {
	return &Shipper{
		ch:     ch,
		route:  route,
		queue:  make(chan ampq.Publishing, 64),
		urgent: make(chan ampq.Publishing, 8),
		done:   make(chan struct{}),
	}
}

// Ship queues a point. It blocks while the queue is full.
func (s *Shipper) Ship(p point.Point) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return ErrStopped
	}
	s.queue <- ampq.Publishing{Timestamp: p.At, Type: "ship.point", Body: p.Line()}
	return nil
}

// Start starts the goroutine.
func (s *Shipper) Start() {
	go func() {
		defer close(s.done)
		for m := range s.queue {
			if err := newapi.BasicPublish(context.Background(), s.ch, "", s.route, ampq.Header(m), m.Body); err != nil {
				s.err = fmt.Errorf("ship: %w", err)
				return
			}
		}
	}()
}

// Stop waits until all that was queued is on its way.
func (s *Shipper) Stop() error {
	s.mu.Lock()
	if !s.stopped {
		s.stopped = true
		close(s.queue)
	}
	s.mu.Unlock()
	<-s.done

	defer func() {
		if err := newapi.BasicPublish(context.Background(), s.ch, "", s.route, newapi.BasicProperties{Type: "ship.stopped"}, nil); err != nil {
			log.Print(err)
		}
	}()
	return s.err
}

// Alarm keeps a point that Sweep sends before the others.
func (s *Shipper) Alarm(p point.Point) {
	s.urgent <- ampq.Publishing{Priority: 9, Type: "ship.alarm", Body: p.Line()}
}

// Sweep sends the alarms.
func (s *Shipper) Sweep() error {
	for len(s.urgent) > 0 {
		if err := ampq.BasicPublish(context.Background(), s.ch, "", s.route, <-s.urgent); err != nil {
			return err
		}
	}
	return nil
}

// Poll sends one alarm if there is one, and tells.
func (s *Shipper) Poll() (bool, error) {
	select {
	case msg := <-s.urgent:
		msg.Type = "ship.poll"
		return true, newapi.BasicPublish(context.Background(), s.ch, "", s.route, ampq.Header(msg), msg.Body)
	default:
		return false, nil
	}
}

// Collect adds a point to the batch, which is sent when it is full.
func (s *Shipper) Collect(p point.Point, size int) error {
	s.batch = append(s.batch, ampq.Publishing{Timestamp: p.At, Type: "ship.batch", Body: p.Line()})
	if len(s.batch) < size {
		return nil
	}
	for i := range s.batch {
		if err := ampq.BasicPublish(context.Background(), s.ch, "", s.route, s.batch[i]); err != nil {
			return fmt.Errorf("ship: message %d of %d: %w", i, len(s.batch), err)
		}
	}
	s.batch = s.batch[:0]
	return nil
}

// Pulse sends n signs of life.
func (s *Shipper) Pulse(n int) (err error) {
	for i := 0; i < n && err == nil; i++ {
		err = newapi.BasicPublish(context.Background(), s.ch,
			"",
			s.route,
			newapi.BasicProperties{
				Headers:    ampq.Table{"n": int32(i)},
				Expiration: "1000", // the next one says the same
				Type:       "ship.pulse",
			},
			[]byte{byte(i)},
		)
	}
	return err
}
