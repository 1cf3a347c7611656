// Package interfaces has an interface and a type that implements it.
package interfaces

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type dialer interface {
	Dial() (*amqp.Connection, error)
}

func link(d dialer) {
	if conn, err := d.Dial(); err == nil {
		third.Link(conn)
	}
}
