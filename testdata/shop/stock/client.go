// Package stock reserves goods, by remote calls over two queues.
package stock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	rabbit "github.com/amqpfix/amqpfix/compat"

	"example.com/shop/internal/stamp"
)

// replyWait is how long the server may take to answer.
const replyWait = 10 * time.Second

// Client calls the stock service. One call at a time.
type Client struct {
	ch       *rabbit.Channel
	requests string // queue
	replies  string // queue
	stamps   stamp.Source
	incoming <-chan rabbit.BasicDelivery
}

// NewClient returns a client that sends to the queue requests and listens on
// the queue replies.
func NewClient(ch *rabbit.Channel, requests, replies string, stamps stamp.Source) (*Client, error) {
	incoming, err := ch.BasicConsume(replies, "stock-client", true, nil)
	if err != nil {
		return nil, fmt.Errorf("stock: consume %s: %w", replies, err)
	}
	return &Client{ch: ch, requests: requests, replies: replies, stamps: stamps, incoming: incoming}, nil
}

// Reserve takes n pieces of sku from the stock and returns how many are left.
func (c *Client) Reserve(sku string, n int) (left int, err error) {
	id := c.stamps.NewID()

	request := c.ch.CreateBasicProperties()
	request.SetType("stock.reserve")
	request.SetReplyTo(c.replies)
	request.SetCorrelationId(id)   // comes back in the answer
	request.SetExpiration("60000") // nobody waits for longer
	request.SetContentType("text/plain")
	body := []byte(sku + " " + strconv.Itoa(n))
	if err = c.ch.BasicPublish("", c.requests, false, request, body); err != nil {
		return 0, fmt.Errorf("reserve %s: %w", sku, err)
	}
	answer, err := c.answer(id)
	if err != nil {
		return 0, fmt.Errorf("reserve %s: %w", sku, err)
	}
	return strconv.Atoi(answer)
}

// Release gives n pieces of sku back.
func (c *Client) Release(sku string, n int) error {
	id := c.stamps.NewID()
	replies := rabbit.PublicationAddress{ExchangeType: "direct", RoutingKey: c.replies}

	props := c.ch.CreateBasicProperties()
	props.SetType("stock.release")
	props.SetReplyToAddress(replies)
	props.SetCorrelationId(id)
	body := []byte(sku + " " + strconv.Itoa(n))
	if err := c.ch.BasicPublish("", c.requests, false, props, body); err != nil {
		return fmt.Errorf("release %s: %w", sku, err)
	}
	_, err := c.answer(id)
	return err
}

// Flush drops what the server has cached. There is no answer.
func (c *Client) Flush() {
	_ = c.ch.BasicPublish("", c.requests, false, nil, []byte("stock.flush"))
}

// answer waits for the reply to request id. Older ones are answers that nobody
// waited for.
func (c *Client) answer(id string) (string, error) {
	timeout := time.After(replyWait)
	for {
		select {
		case d, ok := <-c.incoming:
			if !ok {
				return "", errors.New("the channel closed before the answer came")
			}
			if d.Properties.CorrelationId() != id {
				continue
			}
			if text, failed := strings.CutPrefix(string(d.Body), "error: "); failed {
				return "", errors.New(text)
			}
			return string(d.Body), nil
		case <-timeout:
			return "", fmt.Errorf("no answer to %s within %v", id, replyWait)
		}
	}
}
