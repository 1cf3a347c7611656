package publish

import (
	"context"
	"errors"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestAttemptGivesUp(t *testing.T) {
	var p Publisher
	p.cfg.Publish.Attempts = 3
	broken := errors.New("broken")
	calls := 0
	publish := func(context.Context, string, string, bool, bool, amqp.Publishing) error {
		calls++
		return broken
	}
	if err := p.attempt(context.Background(), publish, "k", amqp.Publishing{}); !errors.Is(err, broken) || calls != 3 {
		t.Errorf("%v after %d calls, want broken after 3", err, calls)
	}
}

func TestHookStopsAMessage(t *testing.T) {
	stop := errors.New("stop")
	var p Publisher // without a channel: it must not be used
	p.cfg.Before.Publish = func(context.Context, string) error { return stop }
	if err := p.Send(context.Background(), "k", "text"); !errors.Is(err, stop) {
		t.Errorf("Send = %v, want stop", err)
	}
}

func TestWaitWantsConfirmMode(t *testing.T) {
	if err := wait(context.Background(), nil); err == nil {
		t.Error("no error without a confirmation")
	}
}
