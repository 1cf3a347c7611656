package fold

import "github.com/amqpfix/amqpfix/compat"

// Two entries may have the same key.
func variableKeys(ch *compat.Channel, k1, k2 string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()[k1] = 1
	props.Headers()[k2] = 2
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func sameKey(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.Headers()["a"] = 2
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

const key = "a"

func sameConstant(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.Headers()[key] = 2
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// The whole table and its entries exclude each other.
func tableThenEntry(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(compat.Table{"a": 1})
	props.Headers()["b"] = 2
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func entryThenTable(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["b"] = 2
	props.SetHeaders(t)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// An entry that reads the table cannot be in it.
func readsEntry(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.Headers()["b"] = props.Headers()["a"]
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// The same map, not a copy.
func sharedTable(ch *compat.Channel, t compat.Table, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(t)
	t["later"] = true
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func mixed(ch *compat.Channel, n int, body []byte) error {
	props := ch.CreateBasicProperties()
	// Where it comes from.
	props.Headers()["x-from"] = "fold"
	props.SetType("a")
	props.Headers()[key] = n
	props.Headers()["x-list"] = []any{1, 2}
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func typedMap(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(map[string]any{"a": 1})
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func nilTable(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetHeaders(nil)
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
