package generated

import amqp "github.com/rabbitmq/amqp091-go" // left generated-file

func (h *holder) set(ch *amqp.Channel) { h.ch = ch }
