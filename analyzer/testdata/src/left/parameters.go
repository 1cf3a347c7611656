package left

import "github.com/amqpfix/amqpfix/compat"

func parameter(ch *compat.Channel, props compat.BasicProperties, body []byte) error {
	return ch.BasicPublish("", "q", false, props, body) // left parameter // want `props is a parameter of parameter; take a newapi.BasicProperties, or a pointer to one`
}

func Exported(ch *compat.Channel, props compat.BasicProperties, body []byte) error {
	return ch.BasicPublish("", "q", false, props, body) // left exported-signature // want `props is a parameter of Exported`
}

type service struct{ ch *compat.Channel }

// A method of a type that nobody else can name.
func (s *service) Publish(props compat.BasicProperties, body []byte) error {
	return s.ch.BasicPublish("", "q", false, props, body) // left parameter // want `props is a parameter of Publish`
}

type Service struct{ ch *compat.Channel }

func (s *Service) Publish(props compat.BasicProperties, body []byte) error {
	return s.ch.BasicPublish("", "q", false, props, body) // left exported-signature // want `props is a parameter of Publish`
}

func result(ch *compat.Channel, body []byte) (props compat.BasicProperties, err error) {
	props = ch.CreateBasicProperties()
	return props, ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is a result of result`
}

func literal(ch *compat.Channel, body []byte) {
	f := func(props compat.BasicProperties) error {
		return ch.BasicPublish("", "q", false, props, body) // left parameter // want `props is a parameter of a function literal`
	}
	_ = f(nil)
}

func passed(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	stamp(props)
	return ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is passed to stamp`
}

func stamp(props compat.BasicProperties) { props.SetAppId("left") }

func passedOn(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	Stamp(props)
	return ch.BasicPublish("", "q", false, props, body) // left exported-signature // want `props is passed to Stamp, which other modules may call`
}

func Stamp(props compat.BasicProperties) { props.SetAppId("left") }

func converted(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	stamp(compat.BasicProperties(props))
	return ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is converted to compat.BasicProperties`
}

func toStruct(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	_ = compat.ToStruct(props)
	return ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is passed to compat.ToStruct`
}
