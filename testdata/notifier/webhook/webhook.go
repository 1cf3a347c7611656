// Package webhook has other servers called.
package webhook

import (
	"context"
	"fmt"
	"hash/crc32"

	rabbitmq "github.com/rabbitmq/amqp091-go"
)

// Caller queues calls, and publishes them when it is told to.
type Caller struct {
	ch     *rabbitmq.Channel
	queue  string
	calls  chan rabbitmq.Publishing
	urgent chan rabbitmq.Publishing

	key    uint32
	nonces int
}

// New returns a caller that signs with key.
func New(ch *rabbitmq.Channel, queue string, key uint32) *Caller {
	return &Caller{
		ch:     ch,
		queue:  queue,
		calls:  make(chan rabbitmq.Publishing, 16),
		urgent: make(chan rabbitmq.Publishing, 1),
		key:    key,
	}
}

// Call queues a call of a URL.
func (c *Caller) Call(url string, payload []byte) {
	c.calls <- rabbitmq.Publishing{
		Headers: rabbitmq.Table{"url": url},
		Type:    "webhook.call",
		Body:    payload,
	}
}

// Ring queues a call that goes before the others. It blocks while there is one.
func (c *Caller) Ring(url string) {
	c.urgent <- rabbitmq.Publishing{Headers: rabbitmq.Table{"url": url}, Type: "webhook.ring"}
}

// Run publishes what is queued, until Close.
func (c *Caller) Run(ctx context.Context) error {
	if len(c.urgent) > 0 {
		if err := c.ch.PublishWithContext(ctx, "", c.queue, false, false, <-c.urgent); err != nil {
			return fmt.Errorf("webhook: %w", err)
		}
	}
	for call := range c.calls {
		if err := c.ch.PublishWithContext(ctx, "", c.queue, false, false, call); err != nil {
			return fmt.Errorf("webhook: %v: %w", call.Headers["url"], err)
		}
	}
	return nil
}

// Close ends Run when all calls are made.
func (c *Caller) Close() { close(c.calls) }

// nonce returns a number that is used once.
func (c *Caller) nonce() string {
	c.nonces++
	return fmt.Sprintf("n%d", c.nonces)
}

// sign puts a nonce and a signature before a payload.
func (c *Caller) sign(payload string) []byte {
	signed := c.nonce() + " " + payload
	return []byte(fmt.Sprintf("%08x %s", crc32.Update(c.key, crc32.IEEETable, []byte(signed)), signed))
}

// Signed publishes a signed call. The call has a nonce of its own.
func (c *Caller) Signed(ctx context.Context, url, payload string) error {
	return c.ch.PublishWithContext(ctx, "", c.queue, false, false, rabbitmq.Publishing{
		Body:          c.sign(payload),
		Headers:       rabbitmq.Table{"url": url},
		CorrelationId: c.nonce(),
		Type:          "webhook.signed",
	})
}

// Test publishes a call that tests the way, and does not wait for it. The caller
// receives the error.
func (c *Caller) Test(ch *rabbitmq.Channel) <-chan error {
	result := make(chan error, 1)
	go func(queue string) {
		defer close(result)
		if err := ch.Publish("", queue, false, false, rabbitmq.Publishing{
			MessageId: "webhook.test#1",
			Timestamp: rabbitTime,
		}); err != nil {
			result <- err
		}
	}(c.queue)
	return result
}
