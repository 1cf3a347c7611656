// Package results asks workers for results, as a remote procedure call.
package results

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Client sends requests and reads the answers from a queue of its own.
type Client struct {
	ch      *amqp.Channel
	replies string
	answers <-chan amqp.Delivery
	calls   int
}

// NewClient declares the queue for replies.
func NewClient(ch *amqp.Channel, replies string) (*Client, error) {
	q, err := ch.QueueDeclare(replies, false, true, true, false, nil)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	answers, err := ch.Consume(q.Name, "results", true, true, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	return &Client{ch: ch, replies: q.Name, answers: answers}, nil
}

// Call sends a request to a queue and waits for its answer.
func (c *Client) Call(ctx context.Context, queue string, request any) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	c.calls++
	corrID := fmt.Sprintf("call-%d", c.calls)
	err = newapi.BasicPublish(context.WithoutCancel(ctx), c.ch,
		"",    // exchange
		queue, // routing key
		newapi.BasicProperties{
			ContentType:   "application/json",
			CorrelationId: corrID,
			ReplyTo:       c.replies,
			Type:          "results.call",
		},
		body)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", queue, err)
	}
	return c.wait(ctx, corrID)
}

// ErrNoAnswer is returned when the queue for replies is gone.
var ErrNoAnswer = errors.New("results: no answer")

func (c *Client) wait(ctx context.Context, corrID string) ([]byte, error) {
	for {
		select {
		case d, open := <-c.answers:
			if !open {
				return nil, ErrNoAnswer
			}
			if d.CorrelationId == corrID { // else it is late
				return d.Body, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Answer is what a server says to one request.
type Answer struct {
	Value string `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
}

// JSON never fails: there are only strings in an answer.
func (a Answer) JSON() []byte {
	body, _ := json.Marshal(a)
	return body
}

// Serve answers n requests from a queue with what answer makes of them.
func Serve(ctx context.Context, ch *amqp.Channel, queue string, n int, answer func([]byte) (string, error)) error {
	requests, err := ch.Consume(queue, "results-server", true, false, false, false, nil)
	if err != nil {
		return err
	}
	for d := range requests {
		value, err := answer(d.Body)
		if err != nil {
			failure := Answer{Error: err.Error()}
			// The caller reads whatever comes first.
			if err := newapi.BasicPublish(context.Background(), ch, "", d.ReplyTo, newapi.BasicProperties{
				CorrelationId: d.CorrelationId,
				Type:          "results.failure",
			}, failure.JSON()); err != nil {
				return err
			}
		} else if err := amqp.BasicPublish(context.WithoutCancel(ctx), ch, "", d.ReplyTo, reply(d, value)); err != nil {
			return err
		}
		if n--; n == 0 {
			break
		}
	}
	return ch.Cancel("results-server", false)
}

// reply builds the message that answers d.
func reply(d amqp.Delivery, value string) amqp.Publishing {
	return amqp.Publishing{
		ContentType:   "application/json",
		CorrelationId: d.CorrelationId,
		Type:          "results.reply",
		Body:          Answer{Value: value}.JSON(),
	}
}
