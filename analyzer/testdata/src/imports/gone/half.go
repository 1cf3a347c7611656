package gone

import "github.com/amqpfix/amqpfix/compat"

// One reference goes, the other stays.
func half(p *pool, given compat.BasicProperties, body []byte) error {
	var props compat.BasicProperties = p.ch.CreateBasicProperties()
	props.SetType("a")
	if err := p.ch.BasicPublish("", "q", false, given, body); err != nil { // left parameter // want `left`
		return err
	}
	return p.ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
