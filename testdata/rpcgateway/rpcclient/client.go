// Package rpcclient is for other programs that call our methods without the
// gateway. Nothing in this module uses it.
package rpcclient

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Client calls methods, one at a time.
type Client struct {
	ch      *amqp.Channel
	queue   string
	replies <-chan amqp.Delivery
	calls   int
}

// New returns a client on a channel, on which it consumes from RabbitMQ's
// pseudo-queue for replies.
func New(ch *amqp.Channel, queue string) (*Client, error) {
	replies, err := ch.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("rpcclient: %w", err)
	}
	return &Client{ch: ch, queue: queue, replies: replies}, nil
}

// Call calls a method.
func (c *Client) Call(ctx context.Context, method string, body []byte) ([]byte, error) {
	c.calls++
	id := fmt.Sprintf("client-%d", c.calls)
	if err := c.ch.PublishWithContext(ctx, "", c.queue, true, false, amqp.Publishing{
		CorrelationId: id,
		ReplyTo:       "amq.rabbitmq.reply-to",
		AppId:         method,
		Type:          "rpcclient.call",
		Body:          body,
	}); err != nil {
		return nil, fmt.Errorf("rpcclient: %s: %w", method, err)
	}
	for {
		select {
		case d, ok := <-c.replies:
			switch {
			case !ok:
				return nil, amqp.ErrClosed
			case d.CorrelationId != id: // of a call that was given up
			case d.Type == "server.failure":
				return nil, errors.New(string(d.Body))
			default:
				return d.Body, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
