package streadway

import "github.com/streadway/amqp" // moves

type link struct {
	*amqp.Connection
	*amqp.Channel
}

func (l link) alive() bool { return !l.Connection.IsClosed() && l.LocalAddr() != nil }
