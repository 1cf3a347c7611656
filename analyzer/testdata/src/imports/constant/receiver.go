package constant

import (
	"imports/constant/config"

	"github.com/amqpfix/amqpfix/compat"
)

func receiver(ch *compat.Channel, body []byte) error {
	props := config.Channel.CreateBasicProperties()
	if err := ch.BasicPublish("", "q", false, config.Channel.CreateBasicProperties(), body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
