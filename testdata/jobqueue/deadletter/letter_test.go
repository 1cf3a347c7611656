package deadletter

import (
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestStampWritesIntoTheDeliverysHeaders(t *testing.T) {
	d := amqp.Delivery{Headers: amqp.Table{"a": "b"}, Body: []byte("x")}
	at := time.Unix(1700000000, 0)
	l := FromDelivery(d)
	l.Stamp("spoilt", at)
	if d.Headers["reason"] != "spoilt" || d.Headers["a"] != "b" || !l.Timestamp.Equal(at) {
		t.Errorf("headers %v, time %v", d.Headers, l.Timestamp)
	}
}

func TestStampMakesHeaders(t *testing.T) {
	l := FromDelivery(amqp.Delivery{})
	l.Stamp("lost", time.Time{})
	if l.Headers["reason"] != "lost" {
		t.Errorf("headers %v", l.Headers)
	}
}
