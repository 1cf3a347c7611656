package taken

import "github.com/amqpfix/amqpfix/compat"

// The name is taken in a test file of the package.
func Send(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold
}
