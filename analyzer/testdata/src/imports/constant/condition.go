package constant

import (
	"imports/constant/flags"

	"github.com/amqpfix/amqpfix/compat"
)

func condition(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(flags.Durable)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
