package gonedot

import . "github.com/amqpfix/amqpfix/compat"

func f(p *pool, body []byte) error {
	var props BasicProperties = p.ch.CreateBasicProperties()
	return p.ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
