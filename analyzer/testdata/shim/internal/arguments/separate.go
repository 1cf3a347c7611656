package arguments

import (
	"sync/atomic"

	amqp "github.com/rabbitmq/amqp091-go" // moves
)

var current atomic.Pointer[amqp.Connection]

func closeCurrent() error { return current.Load().Close() }
