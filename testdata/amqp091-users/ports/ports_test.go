package ports

import (
	"errors"
	"fmt"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestTransient(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{amqp.ErrClosed, true},
		{&amqp.Error{Code: amqp.ConnectionForced}, true},
		{&amqp.Error{Code: amqp.NotFound, Recover: true}, false},
		{&amqp.Error{Code: amqp.ResourceLocked, Recover: true}, true},
		{errors.New("other"), false},
	} {
		if got := Transient(c.err); got != c.want {
			t.Errorf("Transient(%v) is %v", c.err, got)
		}
	}
	var e *amqp.Error
	if err := fmt.Errorf("publishing: %w", amqp.ErrClosed); !errors.Is(err, amqp.ErrClosed) || !errors.As(err, &e) || e.Code != amqp.ChannelError {
		t.Error("a wrapped ErrClosed is not found")
	}
}

// Methods are values, too.
func TestMethodValues(t *testing.T) {
	var channels []*amqp.Channel
	channels = append(channels, &amqp.Channel{}, new(amqp.Channel))
	for _, ch := range channels {
		publish := ch.PublishWithContext
		ack := (*amqp.Channel).Ack
		if publish == nil || ack == nil || ch.IsClosed() {
			t.Error("a new channel is closed")
		}
	}
}
