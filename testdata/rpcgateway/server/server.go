// Package server answers remote procedure calls.
package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	rabbitmq "github.com/rabbitmq/amqp091-go"
)

// Method does what a call asks for.
type Method func(c context.Context, body []byte) ([]byte, error)

// ErrBusy is an error after which a call may be repeated.
var ErrBusy = errors.New("server: busy")

// started is when every server was, as far as anybody can tell.
var started = time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC)

// Server reads calls from one queue.
type Server struct {
	ch      *rabbitmq.Channel
	queue   string
	log     string // queue of what the operators read
	methods map[string]Method
	ready   sync.Once
	served  int
}

// New declares the queues.
func New(ch *rabbitmq.Channel, queue, log string) (*Server, error) {
	for _, name := range []string{queue, log} {
		if _, err := ch.QueueDeclare(name, false, true, true, false, nil); err != nil {
			return nil, fmt.Errorf("server: %w", err)
		}
	}
	return &Server{ch: ch, queue: queue, log: log, methods: make(map[string]Method)}, nil
}

// Handle says what does a method.
func (s *Server) Handle(name string, m Method) { s.methods[name] = m }

// Serve answers calls until a gateway drains the queue.
func (s *Server) Serve(c context.Context) error {
	deliveries, err := s.ch.ConsumeWithContext(c, s.queue, "server", false, false, false, false, nil)
	if err != nil {
		return fmt.Errorf("server: %w", err)
	}
	if err := s.Ready(); err != nil {
		return err
	}
	for d := range deliveries {
		if err := s.serve(c, &d); err != nil {
			return err
		}
		if err := d.Ack(false); err != nil {
			return err
		}
		if d.Type == "gateway.drain" {
			return s.stats(c)
		}
	}
	return c.Err()
}

func (s *Server) serve(c context.Context, d *rabbitmq.Delivery) error {
	s.served++
	publish := func(key string, msg rabbitmq.Publishing) error {
		return s.ch.PublishWithContext(c, "", key, false, false, msg)
	}
	switch {
	case d.ReplyTo == "":
		return publish(s.log, rabbitmq.Publishing{Type: "server.seen", AppId: d.Type, Body: d.Body})
	case s.methods[d.AppId] == nil:
		if err := s.forward(c, *d); err != nil {
			return err
		}
		return s.failure(c, *d, fmt.Errorf("no method %q", d.AppId))
	}
	s.progress(d)
	result, err := s.methods[d.AppId](c, d.Body)
	if err != nil {
		return s.failure(c, *d, err)
	}
	return s.ch.PublishWithContext(c,
		"",        // exchange
		d.ReplyTo, // routing key
		false,     // mandatory
		false,     // immediate
		rabbitmq.Publishing{
			ContentType:   d.ContentType,
			CorrelationId: d.CorrelationId,
			Headers:       d.Headers,
			Type:          "server.reply",
			Body:          result,
		})
}

// progress tells the operators what is going on. They can do without.
func (s *Server) progress(d *rabbitmq.Delivery) {
	headers := maps.Clone(d.Headers)
	if headers == nil {
		headers = rabbitmq.Table{}
	}
	headers["method"] = d.AppId
	_ = s.ch.Publish("", s.log, false, false, rabbitmq.Publishing{
		Headers:   headers,
		Timestamp: started.Add(time.Duration(s.served) * time.Second),
		Type:      "server.progress",
		Body:      append([]byte("at work on "), d.CorrelationId...),
	})
}

// failure tells the caller what went wrong.
func (s *Server) failure(c context.Context, d rabbitmq.Delivery, failure error) error {
	msg := rabbitmq.Publishing{
		CorrelationId: d.CorrelationId,
		Type:          "server.failure",
		Body:          []byte(failure.Error()),
	}
	switch {
	case errors.Is(failure, ErrBusy):
		msg.Headers = rabbitmq.Table{"retry": true, "after": int64(30)}
	case errors.Is(failure, context.DeadlineExceeded):
		msg.Headers = rabbitmq.Table{"retry": true}
	}
	if err := s.ch.PublishWithContext(c, "", d.ReplyTo, false, false, msg); err != nil {
		return fmt.Errorf("server: %w", errors.Join(failure, err))
	}
	return nil
}

// republished is a delivery as a message.
func republished(d rabbitmq.Delivery) rabbitmq.Publishing {
	return rabbitmq.Publishing{
		Headers:         d.Headers,
		ContentType:     d.ContentType,
		ContentEncoding: d.ContentEncoding,
		CorrelationId:   d.CorrelationId,
		ReplyTo:         d.ReplyTo,
		AppId:           d.AppId,
		Type:            "server.forward",
		Body:            d.Body,
	}
}

// forward shows the operators a call that no method is there for.
func (s *Server) forward(c context.Context, d rabbitmq.Delivery) error {
	return s.ch.PublishWithContext(c, d.Exchange, s.log, false, false, republished(d))
}
