package shape

import (
	"github.com/amqpfix/amqpfix/compat"
)

func crlf(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	// b
	props.SetAppId("b") // c
	return ch.BasicPublish("", "q", true, props, body) // fold // want `use`
}

func longComment(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	/* two
	   lines */
	props.SetType("a")
	return ch.BasicPublish("", "q", true, props, body) // value // want `use`
}

func layout(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish( // fold // want `use`
		"", // exchange
		"q",
		/* mandatory
		 */
		false, // why
		nil,
		body,
	)
}
