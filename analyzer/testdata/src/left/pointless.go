package left

import "github.com/amqpfix/amqpfix/compat"

// vet would report the assignment of a field to itself.
func setsItself(ch *compat.Channel, more bool, body []byte) error {
	props := ch.CreateBasicProperties()
	if more {
		props.SetType((props.Type()))
	}
	return ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Type set to what it is; take the statement out, which changes nothing`
}

func setsFromOther(ch *compat.Channel, more bool, body []byte) error {
	props, other := ch.CreateBasicProperties(), ch.CreateBasicProperties()
	if more {
		props.SetType(other.Type())
		props.SetAppId(props.Type())
		props.SetUserId(props.UserId() + "!")
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// It would report what is redundant, always true or never true.
func redundant(ch *compat.Channel, body []byte) bool {
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Type compared twice in one condition`
	return props.IsTypePresent() || body == nil || (props.IsTypePresent())
}

func redundant2(ch *compat.Channel, body []byte) bool {
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Type compared twice`
	return props.IsTypePresent() && "" != props.Type()
}

func alwaysTrue(ch *compat.Channel, body []byte) bool {
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Type compared twice`
	return props.Type() != "a" || (body == nil || props.Type() != "b")
}

func neverTrue(ch *compat.Channel, body []byte) bool {
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Priority compared twice`
	return !props.IsPriorityPresent() && props.Priority() == 3
}

func nestedConditions(ch *compat.Channel, a bool, body []byte) bool {
	props := ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // left position // want `props has its Type compared twice`
	return (props.Type() == "a" && a) || body == nil || (props.Type() == "a" && a)
}

// These mean something.
func twice(ch *compat.Channel, body []byte) bool {
	props, other := ch.CreateBasicProperties(), ch.CreateBasicProperties()
	_ = ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	_ = ch.BasicPublish("", "q", false, other, body) // fold // want `use`
	return props.Priority() > 1 && props.Priority() < 5 ||
		props.Type() == "a" || props.Type() == "b" ||
		props.IsTypePresent() && props.Type() != "c" ||
		props.IsAppIdPresent() || other.IsAppIdPresent()
}
