// Package reflection gives functions to whoever calls them.
package reflection

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func provide() { third.Call(link) }

func link(conn *amqp.Connection) { third.Link(conn) }
