// Package embed extends connections and channels by embedding them.
package embed

import (
	"context"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/users/tracing"
)

// Channel counts what it publishes and adds a trace to it.
type Channel struct {
	*amqp.Channel
	mu        sync.Mutex
	published int
}

// PublishWithContext overrides the embedded method.
func (c *Channel) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error {
	if msg.Headers == nil {
		msg.Headers = amqp.Table{}
	}
	tracing.Inject(ctx, msg.Headers)
	c.mu.Lock()
	c.published++
	c.mu.Unlock()
	return c.Channel.PublishWithContext(ctx, exchange, key, mandatory, immediate, msg)
}

// Published returns how many messages were published.
func (c *Channel) Published() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.published
}

// Connection hands out our own channels.
type Connection struct {
	*amqp.Connection
	Name string
}

// Channel hides the method of the same name.
func (c *Connection) Channel() (*Channel, error) {
	ch, err := c.Connection.Channel()
	if err != nil {
		return nil, err
	}
	return &Channel{Channel: ch}, nil
}

// Service has a channel promoted, and publishes as if it were one.
type Service struct {
	*amqp.Channel
	closed chan *amqp.Error
}

// NewService takes over ch.
func NewService(ch *amqp.Channel) *Service {
	s := &Service{Channel: ch}
	s.closed = s.NotifyClose(make(chan *amqp.Error, 1))
	return s
}

// Emit publishes an event.
func (s *Service) Emit(key string, body []byte) error {
	return s.Publish("amq.topic", key, false, false, amqp.Publishing{Body: body})
}
