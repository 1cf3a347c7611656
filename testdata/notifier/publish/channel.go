// Package publish is where notifications leave the program.
package publish

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"
)

//go:generate mockgen -source=channel.go -destination=../mocks/channel.go -package=mocks

// Channel is the part of an *amqp.Channel that most services need.
type Channel interface {
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
}
