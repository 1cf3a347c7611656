package imports

import amqp "github.com/rabbitmq/amqp091-go"

var shared = amqp.Publishing{Type: "shared"}

func vocabulary(body []byte) error {
	return channel.Publish("ex", "key", false, false, amqp.Publishing{DeliveryMode: amqp.Persistent, Body: body}) // native
}
