package constant

import (
	"imports/constant/config"

	"github.com/amqpfix/amqpfix/compat"
)

func f(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(config.Durable)
	return ch.BasicPublish("", "q", config.Mandatory, props, body) // fold // want `use`
}
