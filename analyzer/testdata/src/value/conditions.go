package value

import (
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

type order struct {
	ID      string
	Urgent  bool
	Durable bool
	TTL     time.Duration
	Kind    string
}

func conditions(ch *compat.Channel, o *order, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetContentType("application/json")
	if o.Urgent {
		props.SetPriority(9)
	} else if o.TTL > 0 {
		props.SetExpiration(o.TTL.String())
	}
	switch o.Kind {
	case "a", "b":
		props.SetType("ab")
	default:
		props.SetType(o.Kind) // as it is
	}
	for i := 0; i < 3; i++ {
		props.SetPriority(props.Priority() + 1)
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `props being a struct whose fields are assigned`
}

func persistent(ch *compat.Channel, o *order, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPersistent(o.Durable) // survives
	if o.Urgent {
		props.SetPersistent(false)
		if !props.Persistent() {
			props.SetAppId("x")
		}
	}
	const always = true
	props.SetPersistent(always)
	return ch.BasicPublish("", "q", props.Persistent(), props, body) // value // want `use`
}

func address(ch *compat.Channel, a compat.PublicationAddress, p *compat.PublicationAddress, body []byte) error {
	props := ch.CreateBasicProperties()
	if a.RoutingKey != "" {
		props.SetReplyToAddress(a)
	} else {
		props.SetReplyToAddress(*p)
	}
	if to, ok := props.ReplyToAddress(); ok && to.ExchangeName == "" {
		props.SetReplyToAddress(compat.PublicationAddress{RoutingKey: to.RoutingKey})
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func selects(ch *compat.Channel, stop chan struct{}, kinds chan string, body []byte) error {
	props := ch.CreateBasicProperties()
	select {
	case <-stop:
		props.SetType("stop")
	case kind := <-kinds:
		props.SetType(kind)
	}
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}
