package left

import "github.com/amqpfix/amqpfix/compat"

type template struct{ props compat.BasicProperties }

var shared compat.BasicProperties

func field(ch *compat.Channel, t *template, body []byte) error {
	return ch.BasicPublish("", "q", false, t.props, body) // left stored // want `t.props is stored in a field; store a newapi.BasicProperties`
}

func packageVar(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, shared, body) // left stored // want `shared is a package variable`
}

func elements(ch *compat.Channel, list []compat.BasicProperties, queue chan compat.BasicProperties, body []byte) {
	_ = ch.BasicPublish("", "q", false, list[0], body) // left stored // want `the properties are kept in list`
	_ = ch.BasicPublish("", "q", false, <-queue, body) // left stored // want `the properties are received from queue`
	for _, props := range list {
		_ = ch.BasicPublish("", "q", false, props, body) // left stored // want `props comes out of list`
	}
}

func intoField(ch *compat.Channel, t *template, body []byte) error {
	props := ch.CreateBasicProperties()
	t.props = props
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored in t.props`
}

func intoVar(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	shared = props
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored in shared`
}

func intoLiteral(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	t := template{props: props}
	t.props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored in a composite value`
}

func intoSlice(ch *compat.Channel, list []compat.BasicProperties, body []byte) error {
	props := ch.CreateBasicProperties()
	list = append(list, props)
	list[0].SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored by append`
}

func intoMap(ch *compat.Channel, seen map[any]bool, body []byte) error {
	props := ch.CreateBasicProperties()
	seen[props] = true
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored in a composite value`
}

func sent(ch *compat.Channel, queue chan compat.BasicProperties, body []byte) error {
	props := ch.CreateBasicProperties()
	queue <- props
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is sent on a channel`
}

func boxed(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	var box any
	box = props
	_ = box
	return ch.BasicPublish("", "q", false, props, body) // left stored // want `props is stored in box`
}
