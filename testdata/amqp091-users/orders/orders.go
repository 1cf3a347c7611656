// Package orders publishes what becomes of orders, and handles what others ask of
// them.
package orders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/users/options"
	"example.com/users/ports"
)

// Order is an order.
type Order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

// Service publishes events.
type Service struct {
	Channel ports.Channel
	Retries int
}

// Created publishes that an order was created.
func (s *Service) Created(ctx context.Context, o Order) error {
	msg, err := options.Message(o, options.Durable(), options.With("event", "created"))
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		err := s.Channel.PublishWithContext(ctx, "orders", "created", true, false, msg)
		if err == nil || try == s.Retries || !ports.Transient(err) {
			return err
		}
	}
}

// ErrPoison is for a message that no retry will help.
var ErrPoison = errors.New("orders: cannot be decoded")

// Handle answers one delivery.
func (s *Service) Handle(ctx context.Context, d amqp.Delivery) error {
	var o Order
	if err := json.Unmarshal(d.Body, &o); err != nil {
		return errors.Join(fmt.Errorf("%w: %v", ErrPoison, err), d.Reject(false))
	}
	if d.ReplyTo != "" {
		reply := amqp.Publishing{CorrelationId: d.CorrelationId, Body: []byte("ok")}
		if err := s.Channel.PublishWithContext(ctx, "", d.ReplyTo, false, false, reply); err != nil {
			return errors.Join(err, d.Nack(false, true))
		}
	}
	return d.Ack(false)
}

// Run handles deliveries until they end.
func (s *Service) Run(ctx context.Context, queue string) error {
	if err := s.Channel.Qos(10, 0, false); err != nil {
		return err
	}
	deliveries, err := s.Channel.Consume(queue, "orders", false, false, false, false, amqp.Table{"x-priority": int32(1)})
	if err != nil {
		return err
	}
	for d := range deliveries {
		if err := s.Handle(ctx, d); err != nil && !errors.Is(err, ErrPoison) {
			return err
		}
	}
	return nil
}
