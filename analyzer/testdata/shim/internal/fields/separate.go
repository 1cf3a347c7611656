package fields

import amqp "github.com/rabbitmq/amqp091-go" // moves

type client struct {
	conn *amqp.Connection
	err  error
}

func (c *client) close() { c.err = c.conn.Close() }
