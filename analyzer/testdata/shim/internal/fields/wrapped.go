package fields

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type wrapped func(ch *amqp.Channel)

var _ wrapped = third.Wrap
