// Package none has a file without imports.
package none

func f(p *pool, body []byte) error {
	return p.ch.BasicPublish("", "q", false, nil, body) // fold // want `amqpfix -fix does it`
}
