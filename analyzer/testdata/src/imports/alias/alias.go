package alias

import (
	stdctx "context"

	old "github.com/amqpfix/amqpfix/compat"
	api "github.com/amqpfix/amqpfix/newapi"
)

var _ api.Table
var _ = stdctx.TODO

func f(ch *old.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(true)
	return ch.BasicPublish("", "q", true, props, body) // fold // want `use api.BasicPublish\(stdctx.Background\(\), ch, "", "q", props, body, api.Mandatory\)`
}
