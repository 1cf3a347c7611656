package files

import amqp "github.com/rabbitmq/amqp091-go" // moves

func (s *session) publish(msg amqp.Publishing) error {
	return s.ch.Publish("", "", false, false, msg)
}
