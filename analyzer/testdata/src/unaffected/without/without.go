// Package without does not know the old API.
package without

type channel struct{}

func (channel) BasicPublish(exchange, key string, mandatory bool, props any, body []byte) error {
	return nil
}

func f(ch channel) error { return ch.BasicPublish("", "q", false, nil, nil) }

func g(ch channel) error {
	return ch.BasicPublish("", "q", false, nil, nil) /* want `there is nothing here that the rule basicproperties would find` */ //amqpfix:ignore basicproperties left from before
}
