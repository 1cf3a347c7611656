package value

import (
	"strconv"

	"github.com/amqpfix/amqpfix/compat"
)

// Changed after it was published, published again: the bytes are out.
func reused(ch *compat.Channel, bodies [][]byte) error {
	props := ch.CreateBasicProperties()
	props.SetContentType("text/plain")
	for i, body := range bodies {
		props.SetMessageId(strconv.Itoa(i))
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			return err
		}
	}
	props.SetType("end")
	return ch.BasicPublish("", "q", false, props, nil) // value // want `use`
}

// Made anew in each iteration.
func inLoop(ch *compat.Channel, bodies [][]byte) error {
	for i, body := range bodies {
		props := ch.CreateBasicProperties()
		props.SetMessageId(strconv.Itoa(i))
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // fold // want `use`
			return err
		}
	}
	return nil
}

// In the head of the loop.
func clause(ch *compat.Channel, body []byte) error {
	for props, i := ch.CreateBasicProperties(), 0; i < 3; i++ {
		props.SetPriority(uint8(i))
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			return err
		}
	}
	return nil
}

func clauses(ch *compat.Channel, body []byte) error {
	for props := ch.CreateBasicProperties(); props.Priority() < 3; props.SetPriority(props.Priority() + 1) {
		if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
			return err
		}
	}
	return nil
}

func heads(ch *compat.Channel, a compat.PublicationAddress, body []byte) error {
	if props := ch.CreateBasicProperties(); len(body) > 0 {
		if props.SetType("a"); props.IsTypePresent() {
			switch props.SetReplyToAddress(compat.PublicationAddress{RoutingKey: "r"}); props.Type() {
			case "a":
			}
		}
		if props.SetHeaders(compat.Table{"a": 1}); true {
			return ch.BasicPublish("", "q", false, props, body) // value // want `use`
		}
	}
	switch props := ch.CreateBasicProperties(); {
	case a.RoutingKey != "":
		return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	}
	return nil
}

func labelled(ch *compat.Channel, durable bool, body []byte) error {
	props := ch.CreateBasicProperties()
	n := 0
again:
	props.SetPersistent(durable)
	durable = !durable
	if err := ch.BasicPublish("", "q", false, props, body); err != nil { // value // want `use`
		return err
	}
	if n++; n < 3 {
		goto again
	}
	return nil
}
