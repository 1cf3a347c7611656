package collector

import (
	"context"

	"github.com/amqpfix/amqpfix/newapi"
)

func (c *Collector) host() error {
	return newapi.BasicPublish(context.Background(), c.ch, "", c.queue, newapi.BasicProperties{Type: "collector.windows"}, []byte("windows"))
}
