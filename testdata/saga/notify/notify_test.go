package notify

import (
	"errors"
	"strings"
	"testing"

	"github.com/streadway/amqp"
)

// fakePublisher remembers what is published.
type fakePublisher struct {
	keys     []string
	messages []amqp.Publishing
	err      error
}

func (p *fakePublisher) Publish(_, key string, _, _ bool, msg amqp.Publishing) error {
	if p.err != nil {
		return p.err
	}
	p.keys = append(p.keys, key)
	p.messages = append(p.messages, msg)
	return nil
}

func TestMailIsAddressed(t *testing.T) {
	var pub fakePublisher
	n := &Notifier{pub: &pub, queue: "q"}
	if err := n.Mail("ada@example.com", "Your trip"); err != nil {
		t.Fatal(err)
	}
	if len(pub.messages) != 1 || pub.keys[0] != "q" || pub.messages[0].Headers["to"] != "ada@example.com" {
		t.Errorf("published %+v to %v", pub.messages, pub.keys)
	}
}

func TestMailNamesTheAddressWhenItFails(t *testing.T) {
	pub := fakePublisher{err: errors.New("no channel")}
	err := (&Notifier{pub: &pub}).Mail("ada@example.com", "Your trip")
	if !errors.Is(err, pub.err) || !strings.Contains(err.Error(), "ada@example.com") {
		t.Errorf("Mail = %v, want no channel, and the address", err)
	}
}

func TestNothingToSayIsNotSent(t *testing.T) {
	var pub fakePublisher
	if err := (&Notifier{pub: &pub}).Text("123", ""); err != nil || len(pub.messages) != 0 {
		t.Errorf("Text = %v, %d messages", err, len(pub.messages))
	}
}

func TestEverywhereStopsAtAnError(t *testing.T) {
	good, bad := &fakePublisher{}, &fakePublisher{err: errors.New("gone")}
	err := Everywhere([]*fakePublisher{good, bad, good}, "q", amqp.Publishing{})
	if !errors.Is(err, bad.err) || len(good.messages) != 1 {
		t.Errorf("Everywhere = %v after %d messages, want gone after 1", err, len(good.messages))
	}
}
