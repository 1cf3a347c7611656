package fold

import (
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

func several(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetContentType("application/json")
	props.SetPersistent(true)
	props.SetPriority(5)
	return ch.BasicPublish("orders", "created", false, props, body) // fold // want `use newapi.BasicPublish\(context.Background\(\), ch, "orders", "created", props, body\), props being a literal`
}

func one(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("ping")
	return ch.BasicPublish("", "pings", true, props, body) // fold // want `newapi.Mandatory\)`
}

func none(ch *compat.Channel, body []byte, mandatory bool) error {
	props := ch.CreateBasicProperties()
	return ch.BasicPublish("", "q", mandatory, props, body) // fold // want `newapi.FlagsIf\(…\)\)`
}

func comments(ch *compat.Channel, body []byte, now time.Time) error {
	// The envelope.
	props := ch.CreateBasicProperties() // fresh
	// what it is
	props.SetContentType("text/plain") // no charset
	props.SetTimestamp(now)

	// Survive a restart, but not for long.
	props.SetPersistent(true)
	props.SetExpiration("60000") // ms

	// Off it goes.
	return ch.BasicPublish("logs", "", false, props, body) // fold // want `use`
}

func headers(ch *compat.Channel, body []byte, n int) error {
	props := ch.CreateBasicProperties()
	props.SetType("retry")
	props.Headers()["x-attempt"] = n
	props.Headers()["x-source"] = "fold"                                        // who
	if err := ch.BasicPublish("dlx", "retry", false, props, body); err != nil { // fold // want `use`
		return err
	}
	return nil
}

func layout(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetReplyToAddress(compat.PublicationAddress{ExchangeType: "direct", RoutingKey: "answers"})
	props.SetHeaders(compat.Table{
		"a": 1,
		"b": `two
lines`,
	})
	err := ch.BasicPublish( // fold // want `use`
		"events", // exchange
		"a.b",    // routing key
		true,     // mandatory
		props,
		body, // as it came
	)
	return err
}
