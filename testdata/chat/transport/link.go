// Package transport connects chats with each other. It is a module of its own:
// other programs link to a chat as well.
package transport

import (
	"context"
	"fmt"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Link is one way to another chat.
type Link struct {
	ch    *amqp.Channel
	queue string

	mu      sync.Mutex
	pending []amqp.Publishing
}

// Dial connects to the broker of a chat.
func Dial(url string) (*amqp.Connection, error) {
	return amqp.DialConfig(url, amqp.Config{Properties: amqp.Table{"connection_name": "chat-transport"}})
}

// NewLink returns a link to a queue.
func NewLink(conn *amqp.Connection, queue string) (*Link, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	if _, err := ch.QueueDeclare(queue, false, true, true, false, nil); err != nil {
		return nil, fmt.Errorf("transport: %w", err)
	}
	return &Link{ch: ch, queue: queue}, nil
}

// Channel returns the channel of the link, for what a link cannot do.
func (l *Link) Channel() *amqp.Channel { return l.ch }

// Queue returns the name of the queue.
func (l *Link) Queue() string { return l.queue }

// Text sends a text.
func (l *Link) Text(ctx context.Context, from, text string) error {
	return l.ch.PublishWithContext(ctx, "", l.queue, false, false, amqp.Publishing{
		Headers:     amqp.Table{"from": from},
		ContentType: "text/plain",
		Type:        "transport.text",
		Body:        []byte(text),
	})
}

// Forward sends a message as it is.
func (l *Link) Forward(ctx context.Context, msg amqp.Publishing) error {
	if err := l.ch.PublishWithContext(ctx, "", l.queue, false, false, msg); err != nil {
		return fmt.Errorf("transport: forward: %w", err)
	}
	return nil
}

// Later keeps a message for Flush.
func (l *Link) Later(msg amqp.Publishing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, msg)
}

// next takes the oldest of the messages that were kept.
func (l *Link) next() (msg amqp.Publishing) {
	msg, l.pending = l.pending[0], l.pending[1:]
	return msg
}

// Flush sends what was kept.
func (l *Link) Flush(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.pending) > 0 {
		if err := l.ch.PublishWithContext(ctx, "", l.queue, false, false, l.next()); err != nil {
			return fmt.Errorf("transport: flush: %w", err)
		}
	}
	return nil
}
