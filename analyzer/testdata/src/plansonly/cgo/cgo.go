package cgo

// static int zero(void) { return 0; }
import "C"

import "github.com/amqpfix/amqpfix/compat"

func F(ch *compat.Channel, body []byte) error {
	_ = C.zero()
	return ch.BasicPublish("", "q", false, nil, body) // left cgo-file
}
