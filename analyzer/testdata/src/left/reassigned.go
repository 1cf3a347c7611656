package left

import "github.com/amqpfix/amqpfix/compat"

func reassigned(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if len(body) == 0 {
		props = ch.CreateBasicProperties()
	}
	return ch.BasicPublish("", "q", false, props, body) // left reassigned // want `props is assigned again; use a variable of its own for each message`
}

func later(ch *compat.Channel, body []byte) error {
	var props compat.BasicProperties
	if len(body) > 0 {
		props = ch.CreateBasicProperties()
	}
	return ch.BasicPublish("", "q", false, props, body) // left reassigned // want `props is declared without a value and assigned later`
}

func nilFirst(ch *compat.Channel, body []byte) error {
	var props compat.BasicProperties = nil
	if len(body) > 0 {
		props = ch.CreateBasicProperties()
	}
	return ch.BasicPublish("", "q", false, props, body) // left reassigned // want `props is declared nil and assigned later`
}

func redeclared(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props, n := ch.CreateBasicProperties(), 1
	_ = n
	return ch.BasicPublish("", "q", false, props, body) // left reassigned // want `props is assigned again`
}

func ranged(ch *compat.Channel, list []compat.BasicProperties, body []byte) error {
	props := ch.CreateBasicProperties()
	for _, props = range list {
	}
	return ch.BasicPublish("", "q", false, props, body) // left reassigned // want `props is assigned again`
}

// Another variable of the same name.
func shadowing(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	if len(body) == 0 {
		props := ch.CreateBasicProperties()
		props.SetType("empty")
		return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	}
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
