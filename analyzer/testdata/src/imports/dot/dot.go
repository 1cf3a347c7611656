package dot

import . "github.com/amqpfix/amqpfix/compat"

func f(ch *Channel, body []byte) error {
	var props BasicProperties = ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
