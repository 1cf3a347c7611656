package results

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

func get() *amqp.Channel {
	return shared
}
