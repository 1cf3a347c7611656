// Package third is a dependency that is compiled with amqp091-go.
package third

import amqp "github.com/rabbitmq/amqp091-go"

// Wrap has a channel.
func Wrap(ch *amqp.Channel) {}

// Link has a connection.
func Link(conn *amqp.Connection) {}

// Call calls functions, whatever they take.
func Call(f any) {}

// Message has none of either.
func Message(msg amqp.Publishing) {}

// Client keeps its connection to itself.
type Client struct{ conn *amqp.Connection }

// Close closes it.
func (c *Client) Close() error { return c.conn.Close() }
