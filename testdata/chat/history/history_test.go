package history

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestMessagesShareTheirHeaders(t *testing.T) {
	h := New(nil)
	h.Add(amqp.Delivery{Headers: amqp.Table{"nick": "ada"}, Body: []byte("hi")})
	h.said[0].Headers["seen"] = true
	if h.messages[0].Headers["seen"] != true || string(h.messages[0].Body) != "hi" {
		t.Errorf("got %+v", h.messages[0])
	}
}
