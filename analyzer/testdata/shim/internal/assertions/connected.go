package assertions

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type key struct{}

func with(ctx context.Context, ch *amqp.Channel) context.Context {
	return context.WithValue(ctx, key{}, ch)
}
