package left

import "github.com/amqpfix/amqpfix/compat"

func aliased(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	same := props
	same.SetType("a")
	_ = ch.BasicPublish("", "q", false, same, body)     // left aliased // want `same is a copy of props; use one variable, or a pointer to the struct`
	return ch.BasicPublish("", "q", false, props, body) // left aliased // want `props is copied to same`
}

func declared(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	var same = props
	same.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // left aliased // want `props is copied to same`
}

func typed(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	var _ compat.BasicProperties = props
	return ch.BasicPublish("", "q", false, props, body) // left aliased // want `props is copied to _`
}

func addressTaken(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	p := &props
	(*p).SetType("a")
	_ = ch.BasicPublish("", "q", false, *p, body)       // left address-taken // want `reached through the pointer p`
	return ch.BasicPublish("", "q", false, props, body) // left address-taken // want `props has its address taken; pass a \*newapi.BasicProperties instead`
}
