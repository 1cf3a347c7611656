package interfaces

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

type plain struct{}

func (plain) Dial() (*amqp.Connection, error) { return nil, nil }
