package dotnames

import amqp "github.com/rabbitmq/amqp091-go" // moves

func purge(ch *amqp.Channel, name string) error {
	_, err := ch.QueuePurge(name, false)
	return err
}
