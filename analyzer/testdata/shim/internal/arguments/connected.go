package arguments

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

var channels pool[*amqp.Channel]
