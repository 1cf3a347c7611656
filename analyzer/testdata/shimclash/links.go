// Package shimclash embeds connections and channels of streadway/amqp.
package shimclash

import "github.com/streadway/amqp" // left name-clash

type link struct {
	*amqp.Connection
	*amqp.Channel
}

// IsClosed of a channel is as deep as that of the connection.
func (l link) alive() bool { return !l.IsClosed() }
