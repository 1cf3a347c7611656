package value

import "github.com/amqpfix/amqpfix/compat"

// The key and the value of a range clause are evaluated in each iteration.
func rangeAssigns(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	for _, props.Headers()["v"] = range []any{1, 2} {
		props.SetHeaders(t)
	}
	return ch.BasicPublish("", "q", false, props, body) // left nil-headers // want `may be nil`
}

// Their operand is not.
func rangeOver(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	for range with(props.Headers()) {
		props.SetHeaders(t)
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func rangeAssignsOwn(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	for _, props.Headers()["v"] = range []any{1, 2} {
		props.ClearHeaders()
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func with(t compat.Table) compat.Table { t["with"] = 1; return t }

// A deferred delete is given the table now and changes it later.
func deferredDelete(ch *compat.Channel, t compat.Table, body []byte) {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	defer func() { _ = ch.BasicPublish("", "q", false, props, body) }() // value // want `use`
	defer delete(props.Headers(), "x")
	props.Headers()["x"] = 1
}

func deferredClear(ch *compat.Channel, body []byte) {
	props := ch.CreateBasicProperties()
	defer func() { _ = ch.BasicPublish("", "q", false, props, body) }() // value // want `use`
	defer clear(props.Headers())
	props.Headers()["x"] = 1
}

// At once it needs none.
func deletes(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	delete(props.Headers(), "x")
	clear(props.Headers())
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
