package left

import "github.com/amqpfix/amqpfix/compat"

func shadowedFalse(ch *compat.Channel, must bool, body []byte) error {
	false := true
	_ = false
	return ch.BasicPublish("", "q", must, nil, body) // left shadowed // want `false does not have its predeclared meaning here; rename what hides the predeclared name`
}

func shadowedFalseConstant(ch *compat.Channel, body []byte) error {
	const false = true
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `newapi.Mandatory\)`
}

func shadowedLen(ch *compat.Channel, body []byte) error {
	len := func(any) int { return 0 }
	props := ch.CreateBasicProperties()
	if props.IsHeadersPresent() && len(body) == 0 {
		props.SetType("a")
	}
	return ch.BasicPublish("", "q", false, props, body) // left shadowed // want `len does not have`
}

func shadowedNil(ch *compat.Channel, t compat.Table, nil int, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	props.Headers()["a"] = nil
	return ch.BasicPublish("", "q", false, props, body) // left shadowed // want `nil does not have`
}

func shadowedNilClear(ch *compat.Channel, nil int, body []byte) error {
	props := ch.CreateBasicProperties()
	if nil > 0 {
		props.ClearHeaders()
	}
	return ch.BasicPublish("", "q", false, props, body) // left shadowed // want `nil does not have`
}
