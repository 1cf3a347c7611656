package value

import "github.com/amqpfix/amqpfix/compat"

// A nil that is said to be one becomes an empty table where one is needed.
func nilThenWrite(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(nil)
	props.Headers()["a"] = 1
	props.SetHeaders(nil)
	props.Headers()["b"] = 1
	if props.ClearHeaders(); true {
		props.Headers()["c"] = 1
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
