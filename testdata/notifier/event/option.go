// Package event describes what a notification says beside its text.
package event

import (
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Option changes a message before it is published.
type Option func(*amqp.Publishing)

// Apply applies options in order.
func Apply(msg *amqp.Publishing, opts ...Option) {
	for _, opt := range opts {
		opt(msg)
	}
}

// WithHeader sets a header.
func WithHeader(name string, value any) Option {
	return func(msg *amqp.Publishing) {
		if msg.Headers == nil {
			msg.Headers = make(amqp.Table)
		}
		msg.Headers[name] = value
	}
}

// WithTTL lets the message expire.
func WithTTL(ttl time.Duration) Option {
	return func(msg *amqp.Publishing) { msg.Expiration = strconv.FormatInt(ttl.Milliseconds(), 10) }
}

// WithPriority moves the message forward in a priority queue.
func WithPriority(priority uint8) Option {
	return func(msg *amqp.Publishing) { msg.Priority = priority }
}

// Persistent keeps the message on disk.
func Persistent() Option {
	return func(msg *amqp.Publishing) { msg.DeliveryMode = amqp.Persistent }
}
