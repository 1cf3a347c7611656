// Package statsd speaks to a statsd that reads from RabbitMQ.
package statsd

import (
	"fmt"
	"strconv"

	. "github.com/streadway/amqp"
)

// Client sends to one exchange. The words are statsd's: g, c, h, ms.
type Client struct {
	ch       *Channel
	exchange string
	tags     Table
}

// Connect opens a channel for a client, and declares its exchange.
func Connect(conn *Connection, exchange string, tags map[string]interface{}) (*Client, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	if err := ch.ExchangeDeclare(exchange, ExchangeFanout, false, true, false, false, nil); err != nil {
		return nil, fmt.Errorf("statsd: %w", err)
	}
	return &Client{ch: ch, exchange: exchange, tags: Table(tags)}, nil
}

// Gauge sends a value.
func (c *Client) Gauge(name string, value float64) error {
	return c.ch.Publish(c.exchange, "g", false, false, Publishing{
		Headers: c.tags,
		Type:    "statsd.gauge",
		Body:    []byte(name + ":" + strconv.FormatFloat(value, 'f', 2, 64) + "|g"),
	})
}

// Count adds to a counter.
func (c *Client) Count(name string, n int) error {
	if n == 0 {
		return nil
	}
	body := fmt.Sprintf("%s:%d|c", name, n)
	err := c.ch.Publish(c.exchange, "c", false, false, Publishing{
		Headers:      Table{"tags": c.tags, "n": int64(n)},
		DeliveryMode: Transient,
		Type:         "statsd.count",
		Body:         []byte(body),
	})
	return err
}

// Histogram sends values, and a header for each.
func (c *Client) Histogram(name string, values ...int32) error {
	p := Publishing{
		Headers:      Table{},
		DeliveryMode: Persistent,
		Type:         "statsd.histogram",
		Body:         []byte(name),
	}
	for i, v := range values {
		p.Headers[strconv.Itoa(i)] = v
	}
	return c.ch.Publish(c.exchange, "h", false, false, p)
}

// Timing sends a duration, to whoever must not miss it.
func (c *Client) Timing(name string, ms int, must bool) error {
	return c.ch.Publish(c.exchange, "ms", must, false, Publishing{
		Type: "statsd.timing",
		Body: []byte(fmt.Sprintf("%s:%d|ms", name, ms)),
	})
}
