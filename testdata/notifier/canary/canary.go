// Package canary publishes to a broker to see whether that works. It has its own
// way to connect, which must not depend on that of the program.
package canary

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"
)

//go:generate mockgen -source=canary.go -destination=mock_dialer.go -package=canary

// Dialer connects to a broker.
type Dialer interface {
	Dial(url string) (*amqp.Connection, error)
}

// Plain is the Dialer that dials.
type Plain struct{}

// Dial implements Dialer.
func (Plain) Dial(url string) (*amqp.Connection, error) { return amqp.Dial(url) }

// Sing publishes a message that nobody reads.
func Sing(ctx context.Context, d Dialer, url string) error {
	conn, err := d.Dial(url)
	if err != nil {
		return fmt.Errorf("canary: %w", err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		return fmt.Errorf("canary: %w", err)
	}
	return ch.PublishWithContext(ctx, "", "notifier.canary", false, false, amqp.Publishing{
		Type: "canary.sing",
		Body: []byte("tweet"),
	})
}
