package deadletter

import (
	"fmt"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestReasonsAreSortedAndNotRepeated(t *testing.T) {
	expired := amqp.Table{"x-death": []interface{}{amqp.Table{"reason": "expired"}, "rubbish"}}
	got := Reasons(
		amqp.Delivery{Headers: amqp.Table{"reason": "spoilt"}},
		amqp.Delivery{Headers: expired},
		amqp.Delivery{Headers: expired},
		amqp.Delivery{},
	)
	if fmt.Sprint(got) != "[expired spoilt]" {
		t.Errorf("got %v, want [expired spoilt]", got)
	}
}
