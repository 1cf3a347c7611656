package left

import "github.com/amqpfix/amqpfix/compat"

func compared(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if props == nil {
		return nil
	}
	return ch.BasicPublish("", "q", false, props, body) // left compared // want `props is compared; drop the comparison: the value is never nil`
}

func switched(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	switch props {
	case nil:
		return nil
	}
	return ch.BasicPublish("", "q", false, props, body) // left compared // want `props is compared`
}

type tracer interface{ Trace() }

func asserted(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if t, ok := props.(tracer); ok {
		t.Trace()
	}
	return ch.BasicPublish("", "q", false, props, body) // left reflection // want `props is asked for its dynamic type`
}

func typeSwitch(ch *compat.Channel, v any, body []byte) error {
	switch props := v.(type) {
	case compat.BasicProperties:
		return ch.BasicPublish("", "q", false, props, body) // left created-elsewhere // want `props is made by a type switch`
	}
	return nil
}
