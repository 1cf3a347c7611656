package shape

import "github.com/amqpfix/amqpfix/compat"

func noNewline(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}