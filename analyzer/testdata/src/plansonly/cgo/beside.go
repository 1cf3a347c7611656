package cgo

import "github.com/amqpfix/amqpfix/compat"

func G(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // fold
}
