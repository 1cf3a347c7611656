// Package sns speaks to a notification service in the cloud. Its words are not
// RabbitMQ's, though some sound alike.
package sns

import (
	"context"
	"errors"
	"fmt"
)

// PublishInput is a message.
type PublishInput struct {
	Message   *string
	TargetArn *string
}

// PublishOutput is the answer to a message.
type PublishOutput struct {
	MessageId *string
}

// Option changes a request.
type Option func(*PublishInput)

// Transport sends a request.
type Transport func(ctx context.Context, target, message string) error

// Client sends messages and numbers them.
type Client struct {
	Transport Transport
	sent      int
}

// Publish sends a message.
func (c *Client) Publish(input *PublishInput) (*PublishOutput, error) {
	return c.PublishWithContext(context.Background(), input)
}

// PublishWithContext sends a message, after options have changed it.
func (c *Client) PublishWithContext(ctx context.Context, input *PublishInput, opts ...Option) (*PublishOutput, error) {
	for _, opt := range opts {
		opt(input)
	}
	if input.Message == nil || input.TargetArn == nil {
		return nil, errors.New("sns: a message needs a text and a target")
	}
	if err := c.Transport(ctx, *input.TargetArn, *input.Message); err != nil {
		return nil, err
	}
	c.sent++
	id := fmt.Sprintf("sns-%d", c.sent)
	return &PublishOutput{MessageId: &id}, nil
}
