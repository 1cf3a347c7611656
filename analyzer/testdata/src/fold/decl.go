package fold

import (
	"context"

	"github.com/amqpfix/amqpfix/compat"
)

func varTyped(ch *compat.Channel, body []byte) error {
	var props compat.BasicProperties = ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func varUntyped(ch *compat.Channel, body []byte) error {
	var props = ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// What is declared behind it in the group is evaluated before the setters.
func varGroup(ch *compat.Channel, body []byte) error {
	var (
		props = ch.CreateBasicProperties()
		id    = next()
	)
	props.SetType(next())
	props.SetMessageId(id)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func varGroupOfOne(ch *compat.Channel, body []byte) error {
	var (
		props compat.BasicProperties = ch.CreateBasicProperties()
	)
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func two(ch *compat.Channel, body []byte) error {
	props, id := ch.CreateBasicProperties(), next()
	props.SetMessageId(id)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func twoOfThem(ch *compat.Channel, body []byte) error {
	var a, b = ch.CreateBasicProperties(), ch.CreateBasicProperties()
	b.SetMessageId("b")
	if err := ch.BasicPublish("", "q", false, a, body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "q", false, b, body) // value // want `use`
}

func sharedType(ch *compat.Channel, body []byte) error {
	var a, b compat.BasicProperties = ch.CreateBasicProperties(), ch.CreateBasicProperties()
	_ = b
	return ch.BasicPublish("", "q", false, a, body) // left position // want `a is declared with others under one type; give it a line of its own`
}

func parenthesised(ch *compat.Channel, body []byte) error {
	props := (ch.CreateBasicProperties())
	(props).SetType("a")
	return (ch).BasicPublish("", "q", (false), (props), body) // fold // want `use`
}

func oneLine(ch *compat.Channel, body []byte) {
	send := func() { p := ch.CreateBasicProperties(); p.SetType("a"); p.SetAppId("b"); p.SetUserId("c"); _ = ch.BasicPublish("", "q", false, p, body) } // fold // want `use`
	send()
}

// A fold does not make the variable unused.
func blank(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	_ = props
	var _ = props
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// Each has its own.
func several2(ctx context.Context, ch *compat.Channel, body []byte) error {
	a := ch.CreateBasicProperties()
	a.SetType("a")
	b := ch.CreateBasicProperties()
	b.SetType("b")
	if err := ch.BasicPublish("", "q", false, a, body); err != nil { // fold // want `use`
		return err
	}
	if err := ch.BasicPublish("", "q", false, b, body); err != nil { // fold // want `use`
		return err
	}
	return ctx.Err()
}
