// Client pushes jobs with confirms and consumes them, over a connection that it
// opens again when it is lost.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const jobs = 10

var (
	errNotConnected = errors.New("not connected to a server")
	errShutdown     = errors.New("client is shutting down")
)

// Client holds a connection that is kept up.
type Client struct {
	m             sync.Mutex
	queue         string
	connection    *amqp.Connection
	channel       *amqp.Channel
	done          chan struct{}
	connClosed    chan *amqp.Error
	channelClosed chan *amqp.Error
	confirms      chan amqp.Confirmation
	ready         bool
	reconnects    int
}

// New connects in the background.
func New(queue, url string) *Client {
	c := &Client{queue: queue, done: make(chan struct{})}
	go c.keepUp(url)
	return c
}

func (c *Client) keepUp(url string) {
	for {
		conn, err := amqp.Dial(url)
		if err == nil {
			err = c.use(conn)
		}
		if err != nil {
			log.Printf("connecting: %v", err)
			select {
			case <-c.done:
				return
			case <-time.After(100 * time.Millisecond):
				continue
			}
		}
		select {
		case <-c.done:
			return
		case <-c.connClosed:
		case <-c.channelClosed:
			conn.Close()
		}
		c.m.Lock()
		c.ready = false
		c.reconnects++
		c.m.Unlock()
	}
}

func (c *Client) use(conn *amqp.Connection) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.Confirm(false); err != nil {
		return err
	}
	if _, err := ch.QueueDeclare(c.queue, false, true, false, false, nil); err != nil {
		return err
	}
	c.m.Lock()
	defer c.m.Unlock()
	c.connection, c.channel = conn, ch
	c.connClosed = conn.NotifyClose(make(chan *amqp.Error, 1))
	c.channelClosed = ch.NotifyClose(make(chan *amqp.Error, 1))
	c.confirms = ch.NotifyPublish(make(chan amqp.Confirmation, 1))
	c.ready = true
	return nil
}

// Push publishes until the message is confirmed.
func (c *Client) Push(data []byte) error {
	for {
		err := c.UnsafePush(data)
		if err == nil {
			c.m.Lock()
			confirms := c.confirms
			c.m.Unlock()
			if confirm, ok := <-confirms; ok && confirm.Ack {
				return nil
			}
		}
		select {
		case <-c.done:
			return errShutdown
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// UnsafePush publishes without waiting for a confirmation.
func (c *Client) UnsafePush(data []byte) error {
	c.m.Lock()
	ch, ready := c.channel, c.ready
	c.m.Unlock()
	if !ready {
		return errNotConnected
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return ch.PublishWithContext(ctx, "", c.queue, false, false, amqp.Publishing{ContentType: "text/plain", Body: data})
}

// Consume consumes with a small prefetch.
func (c *Client) Consume() (<-chan amqp.Delivery, error) {
	c.m.Lock()
	ch, ready := c.channel, c.ready
	c.m.Unlock()
	if !ready {
		return nil, errNotConnected
	}
	if err := ch.Qos(1, 0, false); err != nil {
		return nil, err
	}
	return ch.Consume(c.queue, "", false, false, false, false, nil)
}

// Break makes the broker close the channel.
func (c *Client) Break() {
	c.m.Lock()
	ch := c.channel
	c.m.Unlock()
	_, err := ch.QueueDeclarePassive("no such queue", false, false, false, false, nil)
	e, ok := err.(*amqp.Error)
	fmt.Println("broken:", ok && e.Code == amqp.NotFound)
}

// Close ends the client.
func (c *Client) Close() error {
	close(c.done)
	c.m.Lock()
	defer c.m.Unlock()
	if !c.ready {
		return errNotConnected
	}
	c.ready = false
	if err := c.channel.Close(); err != nil {
		return err
	}
	return c.connection.Close()
}

func main() {
	c := New("job_queue", os.Getenv("AMQP_URL"))
	push := func(from, to int) {
		for i := from; i < to; i++ {
			if err := c.Push([]byte(fmt.Sprint("job ", i))); err != nil {
				log.Fatal(err)
			}
		}
	}
	push(0, jobs/2)
	c.Break()
	push(jobs/2, jobs)
	deliveries, err := c.Consume()
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < jobs; i++ {
		d := <-deliveries
		fmt.Printf("%s\n", d.Body)
		if err := d.Ack(false); err != nil {
			log.Fatal(err)
		}
	}
	c.m.Lock()
	fmt.Println("reconnects:", c.reconnects)
	c.m.Unlock()
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}
