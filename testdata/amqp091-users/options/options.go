// Package options makes messages of functional options.
package options

import (
	"encoding/json"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// Option sets something of a message.
type Option func(*amqp091.Publishing)

// Durable keeps the message over a restart of the broker.
func Durable() Option {
	return func(p *amqp091.Publishing) { p.DeliveryMode = amqp091.Persistent }
}

// TTL lets the message expire.
func TTL(milliseconds string) Option {
	return func(p *amqp091.Publishing) { p.Expiration = milliseconds }
}

// With adds a header.
func With(name string, value interface{}) Option {
	return func(p *amqp091.Publishing) {
		if p.Headers == nil {
			p.Headers = make(amqp091.Table)
		}
		p.Headers[name] = value
	}
}

// Defaults are applied to every message first.
var Defaults = []Option{
	func(p *amqp091.Publishing) { p.ContentType = "application/json" },
	func(p *amqp091.Publishing) { p.Headers = amqp091.Table{"schema": int32(1)} },
}

// Message encodes v as JSON.
func Message(v interface{}, opts ...Option) (amqp091.Publishing, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return amqp091.Publishing{}, err
	}
	msg := &amqp091.Publishing{Body: body, Timestamp: time.Unix(1700000000, 0)}
	for _, opt := range append(Defaults[:len(Defaults):len(Defaults)], opts...) {
		opt(msg)
	}
	return *msg, nil
}
