package shadow

import (
	"context"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

var _ context.Context

var properties newapi.BasicProperties

func visible(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", true, nil, body) // fold // want `use newapi.BasicPublish\(context.Background\(\)`
}

// Only here something else has the name.
func hiddenContext(context string, ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(context)
	return ch.BasicPublish("", "q", true, props, body) // fold // want `use newapi.BasicPublish\(stdcontext.Background\(\)`
}

func hiddenAPI(ch *compat.Channel, body []byte) (err error) {
	props := ch.CreateBasicProperties()
	func() {
		newapi := "new"
		props.SetType(newapi)
		props.SetPersistent(true)
		err = ch.BasicPublish("", "q", true, props, body) // value // want `use amqpnewapi.BasicPublish\(context.Background\(\)`
	}()
	return err
}
