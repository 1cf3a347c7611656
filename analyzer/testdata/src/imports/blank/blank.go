package blank

import (
	_ "context"

	"github.com/amqpfix/amqpfix/compat"
	_ "github.com/amqpfix/amqpfix/newapi"
)

func f(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}
