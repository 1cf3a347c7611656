package left

import "github.com/amqpfix/amqpfix/compat"

func model(m compat.Model, body []byte) error {
	props := m.CreateBasicProperties()
	props.SetType("a")
	return m.BasicPublish("", "q", false, props, body) // left user-interface // want `the publish goes through the interface compat.Model; take a newapi.Publisher`
}

// Properties made by whatever is behind an interface.
func madeByModel(m compat.Model, ch *compat.Channel, body []byte) error {
	props := m.CreateBasicProperties()
	return ch.BasicPublish("", "q", false, props, body) // left user-interface // want `the creation goes through the interface compat.Model`
}

type publisher interface {
	BasicPublish(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error
}

func ownInterface(p publisher, ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	if err := p.BasicPublish("", "q", false, props, body); err != nil { // left user-interface // want `the publish goes through the interface left.publisher`
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // left user-interface // want `the publish goes through the interface left.publisher`
}

// A method of that name with another signature is another method.
type other interface {
	BasicPublish(key string, body []byte) error
}

func otherInterface(o other, body []byte) error {
	return o.BasicPublish("q", body)
}

type decorator struct {
	ch compat.Channel
	n  int
}

func (d *decorator) BasicPublish(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error {
	d.n++
	return d.ch.BasicPublish(exchange, key, mandatory, props, body) // left interface-implementation // want `props is a parameter of BasicPublish, which has the old method's signature; implement newapi.Publisher instead`
}

func decorated(d *decorator, body []byte) error {
	return d.BasicPublish("", "q", false, nil, body) // left interface-implementation // want `\*left.decorator has its own BasicPublish`
}

type embedding struct{ *compat.Channel }

func embedded(e embedding, body []byte) error {
	if err := e.Channel.BasicPublish("", "q", false, nil, body); err != nil { // fold // want `e.Channel`
		return err
	}
	props := e.CreateBasicProperties()
	if err := e.Channel.BasicPublish("", "q", false, props, body); err != nil { // left embedded-type // want `the creation's method is promoted from a field of left.embedding`
		return err
	}
	return e.BasicPublish("", "q", false, nil, body) // left embedded-type // want `the publish's method is promoted from a field of left.embedding; publish to the embedded channel by its name`
}

type overridden struct{ *compat.Channel }

func (overridden) BasicPublish(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error {
	return nil
}

func override(o overridden, body []byte) error {
	return o.BasicPublish("", "q", false, nil, body) // left interface-implementation // want `left.overridden has its own BasicPublish`
}

type deeper struct{ embedding }

func deep(d *deeper, body []byte) error {
	return d.BasicPublish("", "q", false, nil, body) // left embedded-type // want `promoted from a field of \*left.deeper`
}

func generic[M compat.Model](m M, body []byte) error {
	return m.BasicPublish("", "q", false, nil, body) // left type-parameter // want `the publish's receiver is of the type parameter M; take a newapi.Publisher`
}

func genericPointer[C any, P interface {
	*C
	compat.Model
}](c *C, body []byte) error {
	return P(c).BasicPublish("", "q", false, nil, body) // left type-parameter // want `type parameter P`
}

// Generic, but not over the channel.
func genericBody[B ~[]byte](ch *compat.Channel, body B) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func values(ch *compat.Channel, body []byte) error {
	send := ch.BasicPublish // left method-value // want `ch.BasicPublish is used as a value; use a function literal that makes the new call`
	if err := send("", "q", false, nil, body); err != nil {
		return err
	}
	props := ch.CreateBasicProperties()
	set := props.SetType
	set("a")
	if err := ch.BasicPublish("", "q", false, props, body); err != nil { // left method-value // want `props has its method SetType used as a value`
		return err
	}
	return (*compat.Channel).BasicPublish(ch, "", "q", false, nil, body) // left method-value // want `is used as a value`
}

type alias = compat.Channel
type named compat.BasicProperties

func aliases(ch *alias, body []byte) error {
	var props named = ch.CreateBasicProperties()
	props.SetType("a")
	if err := ch.BasicPublish("", "q", false, props, body); err != nil { // left created-elsewhere // want `props is a named of your own`
		return err
	}
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}
