// Package collector measures the program that it is part of.
package collector

import (
	"expvar"
	"fmt"

	"github.com/streadway/amqp"

	"example.com/metrics/point"
)

// Collector publishes what it has measured when it is asked to.
type Collector struct {
	ch    *amqp.Channel
	queue string
	sent  *expvar.Int
}

// New returns a collector whose count of messages is the expvar of that name.
func New(ch *amqp.Channel, queue, name string) *Collector {
	c := &Collector{ch: ch, queue: queue, sent: new(expvar.Int)}
	expvar.Publish(name, c.sent)
	return c
}

// Collect publishes points, each from a source of its own.
func (c *Collector) Collect(sources ...func() point.Point) error {
	for _, measure := range sources {
		p := measure()
		if err := c.ch.Publish("", c.queue, false, false, amqp.Publishing{
			Timestamp: p.At,
			Type:      "collector.collect",
			Body:      p.Line(),
		}); err != nil {
			return fmt.Errorf("collector: %s: %w", p.Name, err)
		}
		c.sent.Add(1)
	}
	return nil
}

// Host publishes what kind of machine this is.
func (c *Collector) Host() error {
	defer c.sent.Add(1)
	return c.host()
}
