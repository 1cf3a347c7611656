package value

import (
	"fmt"

	"github.com/amqpfix/amqpfix/compat"
)

// A closure means the variable, whenever it runs.
func inPlace(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	func() {
		props.SetType("a")
	}()
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func deferred(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer func() {
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			fmt.Println(err)
		}
	}()
	props.SetType("a")
}

func named(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	send := func() error {
		return ch.BasicPublish("", "q", false, props, body) // value // want `use`
	}
	if err := send(); err != nil {
		return err
	}
	props.SetType("b")
	return send()
}

func retry(times int, f func() error) (err error) {
	for i := 0; i < times; i++ {
		if err = f(); err == nil {
			return nil
		}
	}
	return err
}

func passed(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	return retry(3, func() error {
		return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	})
}

// Its own properties are its own business.
func own(ch *compat.Channel, body []byte) {
	go func() {
		props := ch.CreateBasicProperties()
		props.SetType("a")
		_ = ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	}()
}

// The call that changes the properties encloses nothing that reads them.
func enclosing(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	set := func(s string) error { props.SetType(s); return nil }
	if err := set(props.AppId()); err != nil {
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// It stands beside what reads them.
func beside(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	next := func() []byte { props.SetPriority(props.Priority() + 1); return body }
	return ch.BasicPublish("", "q", false, props, next()) // left order-of-effects // want `next\(\) may change props in the statement that reads it; put the call's result into a variable first`
}

func besideGetter(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	next := func() uint8 { props.SetPriority(props.Priority() + 1); return 1 }
	fmt.Println(props.Priority(), next())
	return ch.BasicPublish("", "q", false, props, body) // left order-of-effects // want `next\(\) may change props`
}

// The same in a statement of its own.
func before(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	next := func() []byte { props.SetPriority(props.Priority() + 1); return body }
	b := next()
	return ch.BasicPublish("", "q", false, props, b) // value // want `use`
}

// The condition is evaluated before the body of the if statement.
func condition(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	change := func() { props.SetType("b") }
	if props.Type() == "" {
		change()
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A closure that only reads changes nothing.
func reads(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	encode := func() []byte { return append(body, props.Type()...) }
	return ch.BasicPublish("", "q", false, props, encode()) // fold // want `use`
}
