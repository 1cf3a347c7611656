// Package broker brings tasks to RabbitMQ.
package broker

import (
	"context"
	"fmt"
	"strconv"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"

	"example.com/jobqueue/task"
)

// What no publish of ours asks for.
const (
	mandatory = false
	immediate = false
)

// Config names the exchanges and queues.
type Config struct {
	Exchange string // direct: tasks by group
	Control  string // fanout: orders to all workers
	Events   string // fanout: what became of tasks
	Delayed  string // queue whose messages expire into Exchange
	Groups   []string
}

// Broker publishes on one channel. It is not safe for concurrent use.
type Broker struct {
	ch  *amqp.Channel
	cfg Config
}

// Open declares the topology on a channel of its own.
func Open(conn *amqp.Connection, cfg Config) (*Broker, error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	b := &Broker{ch: ch, cfg: cfg}
	if err := b.declare(); err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	return b, nil
}

func (b *Broker) declare() error {
	for name, kind := range map[string]string{
		b.cfg.Exchange: amqp.ExchangeDirect,
		b.cfg.Control:  amqp.ExchangeFanout,
		b.cfg.Events:   amqp.ExchangeFanout,
	} {
		err := b.ch.ExchangeDeclare(
			name,  // name
			kind,  // type
			false, // durable
			true,  // auto-deleted
			false, // internal
			false, // no-wait
			nil,   // arguments
		)
		if err != nil {
			return err
		}
	}
	for _, group := range b.cfg.Groups {
		if _, err := b.ch.QueueDeclare(b.Queue(group), false, true, true, false, nil); err != nil {
			return err
		}
		if err := b.ch.QueueBind(b.Queue(group), group, b.cfg.Exchange, false, nil); err != nil {
			return err
		}
		if err := b.ch.QueueBind(b.Queue(group), "", b.cfg.Control, false, nil); err != nil {
			return err
		}
	}
	if _, err := b.ch.QueueDeclare(b.Events(), false, true, true, false, nil); err != nil {
		return err
	}
	if err := b.ch.QueueBind(b.Events(), "", b.cfg.Events, false, nil); err != nil {
		return err
	}
	_, err := b.ch.QueueDeclare(b.cfg.Delayed, false, true, true, false, amqp.Table{
		"x-dead-letter-exchange":    b.cfg.Exchange,
		"x-dead-letter-routing-key": "default",
	})
	return err
}

// Queue is the name of the queue of a group.
func (b *Broker) Queue(group string) string { return b.cfg.Exchange + "." + group }

// Events is the name of the queue that gathers events.
func (b *Broker) Events() string { return b.cfg.Events + ".log" }

// Send puts a task into the queue of its group, now or after its delay.
func (b *Broker) Send(ctx context.Context, t *task.Task) error {
	body, err := t.Encode()
	if err != nil {
		return err
	}
	if t.Delay > 0 {
		return b.delay(t, body)
	}
	if err := newapi.BasicPublish(
		context.WithoutCancel(ctx),
		b.ch,
		b.cfg.Exchange, // exchange
		t.RoutingKey(), // routing key
		newapi.BasicProperties{
			Headers:      amqp.Table(t.Headers),
			ContentType:  "application/json",
			DeliveryMode: amqp.Persistent,
			Priority:     t.Priority,
			MessageId:    t.ID,
			Type:         "broker.send",
		},
		body,
	); err != nil {
		return fmt.Errorf("send task %s: %w", t.ID, err)
	}
	return nil
}

// delay parks a task in the delayed queue, from where it goes on by itself.
func (b *Broker) delay(t *task.Task, body []byte) error {
	ttl := strconv.FormatInt(t.Delay.Milliseconds(), 10)
	return newapi.BasicPublish(context.Background(), b.ch, "", // exchange
		b.cfg.Delayed, // routing key
		newapi.BasicProperties{
			ContentType:  "application/json",
			DeliveryMode: amqp.Persistent,
			Expiration:   ttl, // in milliseconds
			MessageId:    t.ID,
			Type:         "broker.delay",
		},
		body)
}

// Control tells all workers something.
func (b *Broker) Control(order string) error {
	return newapi.BasicPublish(context.Background(), b.ch, b.cfg.Control, "", newapi.BasicProperties{
		ContentType: "text/plain",
		Type:        "broker.control",
	}, []byte(order))
}

// Ping asks the workers of a group for a sign of life. There is nothing in it.
func (b *Broker) Ping(group string) {
	_ = newapi.BasicPublish(context.Background(), b.ch, "", b.Queue(group), newapi.BasicProperties{Type: "broker.ping"}, nil)
}

// Revoke takes a task back, if no worker has it yet.
func (b *Broker) Revoke(id string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	err := newapi.BasicPublish(ctx, b.ch,
		b.cfg.Control, // exchange
		"",            // routing key
		newapi.BasicProperties{
			Headers:   amqp.Table{"task": id, "tries": int32(3)},
			Timestamp: time.Unix(1700000000, 0),
			Type:      "broker.revoke",
		},
		[]byte(id))
	if err != nil {
		return fmt.Errorf("revoke %s: %w", id, err)
	}
	return nil
}

// Close closes the channel; the queues stay until the connection ends.
func (b *Broker) Close() error { return b.ch.Close() }
