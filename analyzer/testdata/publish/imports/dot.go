package imports

import (
	"context"

	. "github.com/amqpfix/amqpfix/compat/amqp091"
)

func dot(ctx context.Context, ch *Channel, msg Publishing, body []byte) {
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, msg)                                             // header
	_ = ch.PublishWithContext(ctx, "ex", "key", false, false, Publishing{DeliveryMode: Transient, Body: body}) // native
}
