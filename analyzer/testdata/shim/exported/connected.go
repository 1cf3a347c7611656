package exported

import amqp "github.com/rabbitmq/amqp091-go" // left exported-signature

func (s *Session) set(ch *amqp.Channel) { s.Channel = ch }
