package dotnew

import (
	"github.com/amqpfix/amqpfix/compat"
	. "github.com/amqpfix/amqpfix/newapi"
)

var _ Table

func f(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	return ch.BasicPublish("", "q", true, props, body) // fold // want `use BasicPublish\(context.Background\(\), ch, "", "q", props, body, Mandatory\)`
}
