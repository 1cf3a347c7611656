package constant

import (
	"imports/constant/config"
	"imports/constant/flags"

	"github.com/amqpfix/amqpfix/compat"
)

// What another package says may be something else in another build, and what the
// package does when it is initialised must not go.
func kept(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(config.Durable)
	props.SetAppId(config.Name)
	return ch.BasicPublish("", "q", config.Mandatory, props, body) // value // want `use`
}

func lastUses(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(flags.Durable)
	if err := ch.BasicPublish("", "a", flags.Mandatory, props, body); err != nil { // value // want `use`
		return err
	}
	return ch.BasicPublish("", "b", flags.Mandatory, nil, body) // fold // want `use`
}
