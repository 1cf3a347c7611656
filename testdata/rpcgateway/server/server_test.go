package server

import (
	"testing"

	rabbitmq "github.com/rabbitmq/amqp091-go"
)

func TestRepublishedSharesItsHeaders(t *testing.T) {
	d := rabbitmq.Delivery{Headers: rabbitmq.Table{"a": 1}, AppId: "square", Body: []byte("7")}
	msg := republished(d)
	d.Headers["b"] = 2
	if msg.Headers["b"] != 2 || msg.AppId != "square" || string(msg.Body) != "7" {
		t.Errorf("got %+v", msg)
	}
}
