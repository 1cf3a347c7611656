package files

import amqp "github.com/rabbitmq/amqp091-go" // moves

func dial() error {
	_, err := amqp.Dial("amqp://localhost/")
	return err
}
