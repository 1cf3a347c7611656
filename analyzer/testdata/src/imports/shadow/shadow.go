package shadow

import (
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

func parameter(context, newapi string, ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(context + newapi)
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use amqpnewapi.BasicPublish\(stdcontext.Background\(\)`
}

func itself(ch *compat.Channel, body []byte) error {
	newapi := ch.CreateBasicProperties()
	newapi.SetType("a")
	return ch.BasicPublish("", "q", false, newapi, body) // fold // want `use amqpnewapi.BasicPublish`
}

func hidden(ch *compat.Channel, time time.Time, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetTimestamp(time)
	if len(body) == 0 {
		props.ClearTimestamp()
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// The name is free here, but a file has one.
func free(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use amqpnewapi.BasicPublish`
}
