package exported

import amqp "github.com/rabbitmq/amqp091-go" // moves

type client struct {
	Conn *amqp.Connection
}

// Connect is a method that nobody else can call.
func (c *client) Connect(conn *amqp.Connection) { c.Conn = conn }
