package single

import mq "github.com/amqpfix/amqpfix/compat" // the old one

func f(ch *mq.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}
