package left

import "github.com/amqpfix/amqpfix/compat"

func received(ch *compat.Channel, d compat.BasicDelivery) error {
	_ = ch.BasicPublish("", "q", false, d.Properties, d.Body) // left created-elsewhere // want `d.Properties was received; publish a newapi.BasicProperties, such as compat.ToStruct makes of the old ones`
	props := d.Properties
	props.SetType("again")
	return ch.BasicPublish("", "q", false, props, d.Body) // left created-elsewhere // want `props does not come from CreateBasicProperties: d.Properties was received`
}

// What is taken from received properties does not matter.
func reply(ch *compat.Channel, d compat.BasicDelivery) error {
	props := ch.CreateBasicProperties()
	props.SetCorrelationId(d.Properties.CorrelationId())
	return ch.BasicPublish("", d.Properties.ReplyTo(), false, props, d.Body) // fold // want `use`
}

func build(ch *compat.Channel) compat.BasicProperties {
	props := ch.CreateBasicProperties()
	props.SetType("built")
	return props
}

func built(ch *compat.Channel, body []byte) error {
	_ = ch.BasicPublish("", "q", false, build(ch), body) // left created-elsewhere // want `the properties are made by build`
	props := build(ch)
	return ch.BasicPublish("", "q", false, props, body) // left created-elsewhere // want `props does not come from CreateBasicProperties: the properties are made by build`
}

func pair(ch *compat.Channel) (compat.BasicProperties, error) { return build(ch), nil }

func paired(ch *compat.Channel, body []byte) error {
	props, err := pair(ch)
	if err != nil {
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // left created-elsewhere // want `props comes out of pair\(ch\)`
}

type own struct{ compat.BasicProperties }

func ownType(ch *compat.Channel, body []byte) error {
	props := own{ch.CreateBasicProperties()}
	return ch.BasicPublish("", "q", false, props, body) // left created-elsewhere // want `props is a own of your own`
}

func returned(ch *compat.Channel, body []byte) (compat.BasicProperties, error) {
	props := ch.CreateBasicProperties()
	return props, ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is returned; change the function to take or return`
}

func Returned(ch *compat.Channel, body []byte) (compat.BasicProperties, error) {
	props := ch.CreateBasicProperties()
	return props, ch.BasicPublish("", "q", false, props, body) // left exported-signature // want `props is returned; add a function`
}
