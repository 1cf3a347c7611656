package left

import "github.com/amqpfix/amqpfix/compat"

func condition(ch *compat.Channel, durable bool, body []byte) error {
	props := ch.CreateBasicProperties()
	if props.SetPersistent(durable); len(body) > 0 {
		return nil
	}
	return ch.BasicPublish("", "q", false, props, body) // left position // want `props has SetPersistent called with a condition where no if statement fits; give it a line of its own`
}

func constant(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if props.SetPersistent(true); len(body) > 0 {
		return nil
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func comment(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties( /* none */ )
	return ch.BasicPublish("", "q", false, props, body) // left position // want `a comment has no place in the new text`
}

func commentInClear(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.ClearType( /* again */ )
	return ch.BasicPublish("", "q", false, props, body) // left position // want `a comment has no place`
}

func commentInSetter(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(
		// first
		"a", // second
	)
	props.SetAppId("b" /* third */)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func parenthesised(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	(props.SetType("a"))
	return ch.BasicPublish("", "q", false, props, body) // left position // want `props has SetType called in parentheses`
}

// A statement that makes a map is needed before one that goes into a literal.
func mapWithinLiteral(ch *compat.Channel, given compat.Table) error {
	p := ch.CreateBasicProperties()
	println()
	p.SetHeaders(given)
	q := ch.CreateBasicProperties()
	q.SetHeaders(p.Headers())
	if err := ch.BasicPublish("", "a", false, p, nil); err != nil { // left position // want `p and q take the same place in the new text; put what one takes from another into a variable first`
		return err
	}
	return ch.BasicPublish("", "b", false, q, nil) // left position // want `p and q take the same place in the new text`
}
