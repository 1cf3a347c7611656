package line

import "github.com/amqpfix/amqpfix/compat"

//line beside.y:7
func g(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold
}
