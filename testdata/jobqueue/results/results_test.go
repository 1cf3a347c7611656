package results

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestReplyBelongsToItsRequest(t *testing.T) {
	got := reply(amqp.Delivery{CorrelationId: "call-7", ReplyTo: "q"}, "42")
	if got.CorrelationId != "call-7" || string(got.Body) != `{"value":"42"}` {
		t.Errorf("got %+v with body %s", got, got.Body)
	}
}

func TestAnswerIsValueOrError(t *testing.T) {
	for want, a := range map[string]Answer{
		`{"value":"1"}`:  {Value: "1"},
		`{"error":"no"}`: {Error: "no"},
		`{}`:             {},
	} {
		if got := string(a.JSON()); got != want {
			t.Errorf("%+v = %s, want %s", a, got, want)
		}
	}
}
