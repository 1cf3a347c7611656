package fold

import "github.com/amqpfix/amqpfix/compat"

type pool struct {
	ch   *compat.Channel
	chs  []*compat.Channel
	byID map[string]*compat.Channel
	any  any
	val  compat.Channel
}

func (p *pool) get() *compat.Channel { return p.ch }

func field(p *pool, body []byte) error {
	props := p.ch.CreateBasicProperties()
	props.SetType("a")
	return p.ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// A call is kept, evaluated once.
func call(p *pool, body []byte) error {
	props := p.get().CreateBasicProperties() // from the pool
	props.SetType("a")
	return p.get().BasicPublish("", "q", false, props, body) // fold // want `use`
}

// So is what may panic.
func index(p *pool, i int, body []byte) error {
	props := p.chs[i].CreateBasicProperties()
	return p.chs[i].BasicPublish("", "q", false, props, body) // fold // want `use`
}

func assertion(p *pool, body []byte) error {
	props := p.any.(*compat.Channel).CreateBasicProperties()
	return p.any.(*compat.Channel).BasicPublish("", "q", false, props, body) // fold // want `use`
}

func mapped(p *pool, body []byte) error {
	var props compat.BasicProperties = p.byID["a"].CreateBasicProperties()
	return p.byID["a"].BasicPublish("", "q", false, props, body) // fold // want `use`
}

func value(p *pool, body []byte) error {
	props := p.val.CreateBasicProperties()
	return p.val.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func dereferenced(ch *compat.Channel, body []byte) error {
	props := (*ch).CreateBasicProperties()
	return (*ch).BasicPublish("", "q", false, props, body) // fold // want `use`
}

// The variable would be unused.
func onlyForCreation(conn *compat.Connection, ch *compat.Channel, body []byte) error {
	maker, err := conn.CreateModel()
	if err != nil {
		return err
	}
	props := maker.CreateBasicProperties()
	other := maker.CreateBasicProperties()
	if err := ch.BasicPublish("", "q", false, other, body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// No statement fits before it.
func noStatement(p *pool, body []byte) error {
	if props := p.get().CreateBasicProperties(); body != nil {
		return p.ch.BasicPublish("", "q", false, props, body) // left order-of-effects // want `p.get\(\) needs a statement of its own before props`
	}
	return nil
}

func noStatement2(p *pool, body []byte) error {
	id, props := next(), p.get().CreateBasicProperties()
	return p.ch.BasicPublish(id, "q", false, props, body) // left order-of-effects // want `p.get\(\) needs a statement of its own`
}

func labelled(p *pool, body []byte) error {
	n := 0
again:
	props := p.get().CreateBasicProperties()
	props.SetPriority(uint8(n))
	if err := p.ch.BasicPublish("", "q", false, props, body); err != nil { // fold // want `use`
		return err
	}
	if n++; n < 3 {
		goto again
	}
	return nil
}

// The variable would be unused that a path of fields begins with.
func onlyRoot(ch *compat.Channel, body []byte) error {
	s := pool{ch: ch}
	outer := struct{ in pool }{}
	props := s.ch.CreateBasicProperties()
	other := (outer.in).val.CreateBasicProperties()
	if err := ch.BasicPublish("", "q", false, other, body); err != nil { // fold // want `use`
		return err
	}
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// A channel that is no pointer is not copied, which vet would report.
func noCopy(p *pool, vals []compat.Channel, i int, body []byte) error {
	props := vals[i].CreateBasicProperties()
	other := p.list()[0].CreateBasicProperties()
	if err := p.ch.BasicPublish("", "q", false, other, body); err != nil { // fold // want `use`
		return err
	}
	return p.ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func (p *pool) list() []compat.Channel { return nil }

// What a var block declares before the variable is evaluated before it.
func inBlock(p *pool, body []byte) error {
	var (
		props = p.get().CreateBasicProperties()
		id    = next()
	)
	return p.ch.BasicPublish(id, "q", false, props, body) // fold // want `use`
}

func behindInBlock(p *pool, body []byte) error {
	var (
		id    = next()
		props = p.get().CreateBasicProperties()
	)
	return p.ch.BasicPublish(id, "q", false, props, body) // left order-of-effects // want `p.get\(\) needs a statement of its own before props`
}

func namedInBlock(ch *compat.Channel, body []byte) error {
	var (
		own   = &pool{ch: ch}
		props = own.get().CreateBasicProperties()
	)
	return ch.BasicPublish("", "q", false, props, body) // left order-of-effects // want `own.get\(\) needs a statement of its own before props`
}

func droppedInBlock(p *pool, body []byte) error {
	var (
		id    = next()
		props = p.ch.CreateBasicProperties()
	)
	return p.ch.BasicPublish(id, "q", false, props, body) // fold // want `use`
}

func chained(p *pool, body []byte) error {
	props := p.ch.CreateBasicProperties()
	return /* fold */ /* want `use newapi.BasicPublish\(context.Background\(\), p.get\(\), "", "q", props, body\)` */ p.
		get().
		BasicPublish("", "q", false, props, body)
}

func commentInChain(p *pool, body []byte) error {
	props := p.ch.CreateBasicProperties()
	return p. // left position // want `a comment has no place in the new text`
			get().
			BasicPublish("", "q", false, props, body)
}
