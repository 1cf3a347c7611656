package options

import (
	"reflect"
	"testing"
	"time"

	. "github.com/rabbitmq/amqp091-go"
)

func TestMessage(t *testing.T) {
	msg, err := Message(map[string]int{"n": 1}, Durable(), TTL(ImmediatelyExpire), With("attempt", int32(2)))
	if err != nil {
		t.Fatal(err)
	}
	want := Publishing{
		Headers:      Table{"schema": int32(1), "attempt": int32(2)},
		ContentType:  MimeApplicationJSON,
		DeliveryMode: Persistent,
		Expiration:   "0",
		Timestamp:    time.Unix(1700000000, 0),
		Body:         []byte(`{"n":1}`),
	}
	if !reflect.DeepEqual(msg, want) {
		t.Errorf("got %+v, want %+v", msg, want)
	}
	if err := msg.Headers.Validate(); err != nil {
		t.Error(err)
	}
}
