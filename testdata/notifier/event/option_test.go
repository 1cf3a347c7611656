package event

import (
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestOptions(t *testing.T) {
	var msg amqp.Publishing
	Apply(&msg, WithHeader("a", 1), WithHeader("a", 2), WithTTL(1500*time.Millisecond), WithPriority(4), Persistent())
	if msg.Headers["a"] != 2 || msg.Expiration != "1500" || msg.Priority != 4 || msg.DeliveryMode != amqp.Persistent {
		t.Errorf("got %+v", msg)
	}
}
