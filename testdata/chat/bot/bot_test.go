package bot

import (
	"context"
	"testing"

	ampq "github.com/rabbitmq/amqp091-go"
)

func TestNoCommandIsNoWork(t *testing.T) {
	// Without a channel: it must not be used.
	if err := New(nil, "attic").Do(context.Background(), ampq.Delivery{Body: []byte("hello")}); err != nil {
		t.Error(err)
	}
}
