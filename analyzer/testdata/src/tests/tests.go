package tests

import "github.com/amqpfix/amqpfix/compat"

func Send(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
