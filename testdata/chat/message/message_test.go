package message

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestCommand(t *testing.T) {
	tests := []struct {
		body, name, rest string
		ok               bool
	}{
		{"/help", "help", "", true},
		{"/roll 2 6", "roll", "2 6", true},
		{"hello", "", "", false},
		{"/", "", "", false},
		{"", "", "", false},
	}
	for _, tt := range tests {
		name, rest, ok := Command(amqp.Delivery{Body: []byte(tt.body)})
		if name != tt.name || rest != tt.rest || ok != tt.ok {
			t.Errorf("%q is command %q with %q, %v", tt.body, name, rest, ok)
		}
	}
}

func TestNick(t *testing.T) {
	if got := Nick(amqp.Delivery{Headers: Text("ada", "hi").Headers}); got != "ada" {
		t.Errorf("got %q, want ada", got)
	}
	if got := Nick(amqp.Delivery{}); got != "somebody" {
		t.Errorf("got %q, want somebody", got)
	}
}
