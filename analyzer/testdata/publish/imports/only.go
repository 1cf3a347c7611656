package imports

import (
	"context"

	"github.com/amqpfix/amqpfix/compat/amqp091"
)

func only(ctx context.Context, body []byte) error {
	return channel.PublishWithContext(ctx, "ex", "key", false, false, amqp091.Publishing{Body: body}) // native
}
