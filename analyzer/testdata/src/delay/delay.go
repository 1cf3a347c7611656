package delay

import "github.com/amqpfix/amqpfix/compat"

// Everything is set before.
func before(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	if len(body) > 0 {
		props.SetPriority(1)
	}
	defer ch.BasicPublish("", "q", false, props, body) // value // want `use`
	go ch.BasicPublish("", "q", false, props, body)    // value // want `use`
}

// The publish must see what is set later.
func later(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `props may change between the defer statement and the publish that it delays; delay a function literal that publishes`
	props.SetType("a")
}

func started(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	go ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `between the go statement and the publish`
	props.ClearType()
}

// Reading later changes nothing.
func readLater(ch *compat.Channel, body []byte) string {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	defer ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	return props.Type()
}

// Before in the text, after in the next iteration.
func loop(ch *compat.Channel, bodies [][]byte) {
	props := ch.CreateBasicProperties()
	for i, body := range bodies {
		props.SetPriority(uint8(i))
		defer ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `may change`
	}
}

// A new one in each iteration.
func loopInside(ch *compat.Channel, bodies [][]byte) {
	for i, body := range bodies {
		props := ch.CreateBasicProperties()
		if i > 0 {
			props.SetPriority(uint8(i))
		}
		defer ch.BasicPublish("", "q", false, props, body) // value // want `use`
	}
}

// The variable of the clause lives as long as the loop.
func loopClause(ch *compat.Channel, bodies [][]byte) {
	for props, i := ch.CreateBasicProperties(), 0; i < len(bodies); i++ {
		props.SetPriority(uint8(i))
		defer ch.BasicPublish("", "q", false, props, bodies[i]) // left defer-then-change // want `may change`
	}
}

// A loop that only publishes.
func loopOfPublishes(ch *compat.Channel, bodies [][]byte) {
	props := ch.CreateBasicProperties()
	if len(bodies) > 3 {
		props.SetType("many")
	}
	for _, body := range bodies {
		defer ch.BasicPublish("", "q", false, props, body) // value // want `use`
	}
}

// A closure may run at any time.
func closure(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	set := func() { props.SetType("a") }
	set()
	defer ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `may change`
}

// With goto, before may be after.
func jump(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	n := 0
again:
	if n++; n > 1 {
		props.SetPriority(uint8(n))
	}
	defer ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `may change`
	if n < 3 {
		goto again
	}
}

// A table that is there is shared, so what is put into it later is seen.
func headers(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer ch.BasicPublish("", "q", false, props, body) // value // want `use`
	props.Headers()["late"] = true
}

// One that may have to be made later would not be.
func maybeHeaders(ch *compat.Channel, t compat.Table, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	defer ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `may change`
	props.Headers()["late"] = true
}

// A setter that is deferred is a late change itself.
func setter(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	defer props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // left defer-then-change // want `props has SetType deferred`
}

func goSetter(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	go props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // left goroutine-capture // want `props has SetType started by go`
}

// A deferred literal reads the variable when it runs.
func literal(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer func() { _ = ch.BasicPublish("", "q", false, props, body) }() // value // want `use`
	props.SetType("a")
}
