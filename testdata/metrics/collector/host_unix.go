//go:build unix

package collector

import "github.com/streadway/amqp"

func (c *Collector) host() error {
	return c.ch.Publish("", c.queue, false, false, amqp.Publishing{Type: "collector.host", Body: []byte("unix")})
}
