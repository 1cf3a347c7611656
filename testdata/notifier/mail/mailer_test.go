package mail

import (
	"context"
	"errors"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"go.uber.org/mock/gomock"

	"example.com/notifier/internal/expect"
	"example.com/notifier/mocks"
)

func TestMailIsMandatoryAndAddressed(t *testing.T) {
	ch := mocks.NewMockChannel(gomock.NewController(t))
	ch.EXPECT().
		PublishWithContext(gomock.Any(), "", "mails", true, false, gomock.Any()).
		DoAndReturn(func(_ context.Context, _, _ string, _, _ bool, msg amqp.Publishing) error {
			if msg.Headers["to"] != "ada@example.com" || string(msg.Body) != "How are you?" {
				t.Errorf("headers %v, body %q", msg.Headers, msg.Body)
			}
			return nil
		})
	if err := New(ch, "mails").Send(context.Background(), Mail{"ada@example.com", "Hello", "How are you?"}); err != nil {
		t.Error(err)
	}
}

// mockChannel is a mock of the other kind.
type mockChannel struct{ expect.Mock }

func (m *mockChannel) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error {
	err, _ := m.Called("PublishWithContext", exchange, key, mandatory, immediate, msg.Headers["to"])[0].(error)
	return err
}

func TestSendAllStopsAtAnError(t *testing.T) {
	full := errors.New("full")
	var ch mockChannel
	ch.On("PublishWithContext", "", "mails", false, false, "ada@example.com").Return(nil)
	ch.On("PublishWithContext", "", "mails", false, false, expect.Anything).Return(full)
	sent, err := New(&ch, "mails").SendAll(context.Background(),
		Mail{To: "ada@example.com"}, Mail{To: "bob@example.com"}, Mail{To: "eve@example.com"})
	if sent != 1 || !errors.Is(err, full) {
		t.Errorf("sent %d, %v; want 1, full", sent, err)
	}
	ch.Met(t)
}

// confirmingChannel is a fake that always fails.
type confirmingChannel struct{ err error }

func (c confirmingChannel) PublishWithDeferredConfirmWithContext(context.Context, string, string, bool, bool, amqp.Publishing) (*amqp.DeferredConfirmation, error) {
	return nil, c.err
}

func TestRegisteredNamesTheAddressWhenItFails(t *testing.T) {
	broken := confirmingChannel{errors.New("broken")}
	_, err := Registered(context.Background(), broken, "mails", Mail{To: "ada@example.com"})
	if !errors.Is(err, broken.err) || !strings.Contains(err.Error(), "ada@example.com") {
		t.Errorf("Registered = %v, want broken, and the address", err)
	}
}
