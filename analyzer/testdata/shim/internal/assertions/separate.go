package assertions

import (
	"context"
	"io"

	amqp "github.com/rabbitmq/amqp091-go" // moves
)

func with2(ctx context.Context, conn *amqp.Connection) context.Context {
	return context.WithValue(ctx, key{}, conn)
}

func closer(ch *amqp.Channel) io.Closer { return ch }
