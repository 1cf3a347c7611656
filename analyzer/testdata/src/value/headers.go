package value

import "github.com/amqpfix/amqpfix/compat"

func put(t compat.Table) bool { t["put"] = true; return true }

// A map in the literal, since it is written later.
func written(ch *compat.Channel, n int, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	if n > 0 {
		props.Headers()["n"] = n
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func handedOut(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	put(props.Headers())
	h := props.Headers()
	h["b"] = 1
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// None, since it is only read.
func read(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if props.Headers()["n"] == nil && len(props.Headers()) == 0 {
		props.SetType("a")
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// What SetHeaders was given may be nil.
func maybeNil(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	props.Headers()["a"] = 1
	props.Headers()["b"] = 2
	if t != nil {
		props.Headers()["c"] = 3
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// It is certainly not.
func notNil(ch *compat.Channel, body []byte) error {
	t := make(compat.Table)
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	props.Headers()["a"] = 1
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// It was once, but is assigned again.
func nilAgain(ch *compat.Channel, body []byte) error {
	t := make(compat.Table)
	if len(body) > 0 {
		t = nil
	}
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	props.Headers()["a"] = 1
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// Cleared in the loop: each write makes its own.
func cleared(ch *compat.Channel, bodies [][]byte) error {
	props := ch.CreateBasicProperties()
	for i, body := range bodies {
		props.Headers()["i"] = i
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			return err
		}
		props.ClearHeaders()
		props.Headers()["again"] = true
		props.Headers()["twice"] = true
	}
	return nil
}

// The guard goes before an if statement, not before an else if.
func guards(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	if put(props.Headers()) {
		props.SetType("a")
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func noGuard(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	if len(body) == 0 {
		props.SetType("a")
	} else if put(props.Headers()) {
		props.SetType("b")
	}
	return ch.BasicPublish("", "q", false, props, body) // left nil-headers // want `the headers of props may be nil and are needed where no statement fits before; set Headers to a map in a statement before`
}

func noGuardInCase(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	switch {
	case put(props.Headers()):
		props.SetType("b")
	}
	return ch.BasicPublish("", "q", false, props, body) // left nil-headers // want `may be nil`
}

func noGuardInLoop(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	for put(props.Headers()) {
		props.ClearHeaders()
		break
	}
	return ch.BasicPublish("", "q", false, props, body) // left nil-headers // want `may be nil`
}

// A guard is in the closure that writes.
func closure(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	write := func(k string) { props.Headers()[k] = 1 }
	write("a")
	write("b")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A fresh map each time, as before.
func replaced(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	old := props.Headers()
	props.ClearHeaders()
	old["lost"] = true
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A guard within a condition does not stand for one behind it.
func nestedGuard(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	if len(body) > 0 {
		props.Headers()["a"] = 1
	}
	props.Headers()["b"] = 2
	for range body {
		props.Headers()["c"] = 3
		props.SetHeaders(t)
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
