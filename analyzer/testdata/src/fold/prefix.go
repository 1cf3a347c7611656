package fold

import "github.com/amqpfix/amqpfix/compat"

// A statement in between ends the fold.
func between(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("order")
	counter++
	props.SetPriority(1)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// So does a condition.
func condition(ch *compat.Channel, urgent bool, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("order")
	props.SetAppId("shop")
	if urgent {
		props.SetPriority(9)
	}
	props.SetUserId("guest")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A property that is set twice is set twice.
func twice(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	props.SetType("b")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// DeliveryMode has two setters.
func twoSetters(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetDeliveryMode(1)
	props.SetPersistent(true)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// ReplyTo too.
func twoReplies(ch *compat.Channel, a compat.PublicationAddress, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetReplyToAddress(a)
	props.SetReplyTo("q2")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A setter that reads the same properties cannot be in their literal.
func readsItself(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId("42")
	props.SetCorrelationId(props.MessageId())
	props.SetAppId("shop")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// Nor one in a function literal.
func readsItselfLater(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId(func() string { return props.AppId() + "1" }())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A getter of other properties is a read.
func readsOther(ch *compat.Channel, body []byte) error {
	first := ch.CreateBasicProperties()
	first.SetMessageId("42")
	second := ch.CreateBasicProperties()
	second.SetCorrelationId(first.MessageId())
	second.SetAppId("shop")
	if err := ch.BasicPublish("", "q", false, first, body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "q", false, second, body) // fold // want `use`
}

// A label can be jumped to.
func label(ch *compat.Channel, body []byte) error {
	n := 0
	props := ch.CreateBasicProperties()
	props.SetType("order")
again:
	props.SetPriority(uint8(n))
	if n++; n < 3 {
		goto again
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A getter between setters is kept where it is.
func getter(ch *compat.Channel, body []byte) (string, error) {
	props := ch.CreateBasicProperties()
	props.SetType("order")
	kind := props.Type()
	return kind, ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// Clear is no setter of a literal.
func clears(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("order")
	props.ClearPriority()
	props.SetAppId("shop")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// An empty statement is a statement.
func empty(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	{
		props.SetType("order")
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
