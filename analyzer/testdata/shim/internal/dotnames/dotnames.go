// Package dotnames has a name that a dot import of compat/amqp091 would bring.
package dotnames

import . "github.com/rabbitmq/amqp091-go" // left name-clash

type Header struct{ name string }

func declare(ch *Channel, name string) error {
	_, err := ch.QueueDeclare(name, true, false, false, false, nil)
	return err
}
