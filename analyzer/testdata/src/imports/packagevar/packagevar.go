package packagevar

import "github.com/amqpfix/amqpfix/compat"

func f(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use amqpfixnewapi.BasicPublish\(context2.Background\(\)`
}
