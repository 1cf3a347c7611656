package constant

import (
	"imports/constant/config"
	"imports/constant/flags"

	"github.com/amqpfix/amqpfix/compat"
)

// The import of config has other uses.
func dropped(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(config.Durable)
	props.SetAppId(config.Name)
	return ch.BasicPublish("", "q", config.Mandatory, props, body) // fold // want `use`
}

// That of flags has none; what it does when it is initialised must not go. One
// reference is enough.
func kept(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(flags.Durable)
	if err := ch.BasicPublish("", "a", flags.Mandatory, props, body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "b", flags.Mandatory, nil, body) // fold // want `use`
}
