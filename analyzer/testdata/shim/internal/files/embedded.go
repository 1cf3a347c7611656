package files

import amqp "github.com/rabbitmq/amqp091-go" // moves

type embedding struct{ *amqp.Channel }
