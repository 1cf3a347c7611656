// Package unaffected reaches the old API and has same-named methods of its own.
package unaffected

import "github.com/amqpfix/amqpfix/compat"

var _ compat.Table

type properties struct{}

func (properties) SetType(string) {}

type channel struct{}

func (channel) CreateBasicProperties() properties { return properties{} }

func (channel) BasicPublish(exchange, key string, mandatory bool, props properties, body []byte) error {
	return nil
}

func f(ch channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body)
}

type functions struct {
	BasicPublish func(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error
}

func g(fs functions, body []byte) error {
	return fs.BasicPublish("", "q", false, nil, body)
}

func BasicPublish(exchange, key string, mandatory bool, props compat.BasicProperties, body []byte) error {
	return nil
}

func h(body []byte) error {
	return BasicPublish("", "q", false, nil, body)
}
