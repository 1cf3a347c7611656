// Consumer consumes from a queue until it has seen a number of messages, and then
// shuts down in order.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

var (
	queue = flag.String("queue", "test-queue", "durable queue")
	tag   = flag.String("consumer-tag", "simple-consumer", "consumer tag")
	count = flag.Int("count", 16, "messages")
)

// Consumer holds what a shutdown has to end.
type Consumer struct {
	conn    *amqp.Connection
	channel *amqp.Channel
	tag     string
	done    chan error
	enough  chan struct{}
}

// NewConsumer starts to consume.
func NewConsumer(url string) (*Consumer, error) {
	c := &Consumer{tag: *tag, done: make(chan error), enough: make(chan struct{})}
	var err error
	if c.conn, err = amqp.Dial(url); err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	closed := c.conn.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		if err := <-closed; err != nil {
			log.Printf("connection closed: %v", err)
		}
	}()
	if c.channel, err = c.conn.Channel(); err != nil {
		return nil, fmt.Errorf("channel: %w", err)
	}
	if _, err := c.channel.QueueDeclare(*queue, true, false, false, false, nil); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	deliveries, err := c.channel.Consume(*queue, c.tag, false, false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("consume: %w", err)
	}
	go c.handle(deliveries)
	return c, nil
}

func (c *Consumer) handle(deliveries <-chan amqp.Delivery) {
	defer func() { c.done <- nil }()
	seen := 0
	for d := range deliveries {
		fmt.Printf("%s: %dB %q mode %d app %s\n", d.MessageId, len(d.Body), d.Body, d.DeliveryMode, d.AppId)
		if err := d.Ack(false); err != nil {
			c.done <- err
			return
		}
		if seen++; seen == *count {
			close(c.enough)
		}
	}
}

// Shutdown ends the deliveries, then the connection, and waits for the handler.
func (c *Consumer) Shutdown() error {
	if err := c.channel.Cancel(c.tag, false); err != nil {
		return fmt.Errorf("cancel: %w", err)
	}
	if err := c.conn.CloseDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return fmt.Errorf("closing: %w", err)
	}
	return <-c.done
}

func main() {
	flag.Parse()
	c, err := NewConsumer(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waiting")
	<-c.enough
	if err := c.Shutdown(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("shut down")
}
