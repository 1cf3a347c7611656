package bus

import (
	"testing"

	"github.com/streadway/amqp"
)

func TestNobodyToReplyTo(t *testing.T) {
	if err := new(Session).Reply(amqp.Delivery{CorrelationId: "trip-1"}, "ok"); err != nil {
		t.Errorf("Reply = %v, want nothing done", err)
	}
}
