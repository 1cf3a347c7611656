package reflection

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func invoke() { third.Call(func() *amqp.Connection { return nil }) }
