package presence

import (
	"context"
	"testing"

	"github.com/rabbitmq/amqp091-go"
)

// speakerFunc is a speaker that is a function.
type speakerFunc func(key string, msg amqp091.Publishing) error

func (f speakerFunc) PublishWithContext(_ context.Context, _, key string, _, _ bool, msg amqp091.Publishing) error {
	return f(key, msg)
}

func TestTell(t *testing.T) {
	said := ""
	s := speakerFunc(func(_ string, msg amqp091.Publishing) error {
		said += string(msg.Body)
		return nil
	})
	if err := Tell(context.Background(), s, "x", "ada"); err != nil || said != "ada" {
		t.Errorf("Tell = %v, said %q", err, said)
	}
}

func TestListIsSorted(t *testing.T) {
	p := New(nil, "x")
	p.there["eve"], p.there["ada"] = true, true
	if got := string(p.list("bob").Body); got != "ada bob eve" {
		t.Errorf("got %q, want ada bob eve", got)
	}
}
