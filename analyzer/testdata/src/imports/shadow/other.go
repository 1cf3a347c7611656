package shadow

import "github.com/amqpfix/amqpfix/compat"

// Another file has its own imports.
func other(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use newapi.BasicPublish\(context.Background\(\)`
}
