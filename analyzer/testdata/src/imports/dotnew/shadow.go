package dotnew

import (
	"github.com/amqpfix/amqpfix/compat"
	. "github.com/amqpfix/amqpfix/newapi"
)

var _ Table

func g(ch *compat.Channel, Mandatory bool, body []byte) error {
	return ch.BasicPublish("", "q", Mandatory, nil, body) // fold // want `use newapi.BasicPublish`
}
