//go:build go1.22

// Package since122 has loops with variables of each iteration.
package since122

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func ranges(ctx context.Context, ch *amqp.Channel, bodies [][]byte) {
	for _, body := range bodies {
		msg := amqp.Publishing{Type: "t", Body: body}
		defer func() { _ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg) }() // native
	}
}
