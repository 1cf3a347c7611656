package fields

import amqp "github.com/rabbitmq/amqp091-go" // moves

type own func(ch *amqp.Channel)
