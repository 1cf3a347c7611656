package files

import amqp "github.com/rabbitmq/amqp091-go" // stays

func message(d amqp.Delivery) amqp.Publishing {
	if d.Acknowledger == nil || d.Ack(false) == amqp.ErrClosed {
		return amqp.Publishing{Headers: amqp.Table{"x": 1}, DeliveryMode: amqp.Persistent}
	}
	return amqp.Publishing{}
}
