package constant

import (
	"imports/constant/config"

	"github.com/amqpfix/amqpfix/compat"
)

func argument(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, config.Channel.CreateBasicProperties(), body) // left order-of-effects // want `config.Channel is evaluated within the arguments`
}
