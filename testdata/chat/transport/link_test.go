package transport

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestTheOldestIsTheNext(t *testing.T) {
	var l Link
	l.Later(amqp.Publishing{Body: []byte("a")})
	l.Later(amqp.Publishing{Body: []byte("b")})
	for _, want := range []string{"a", "b"} {
		if got := string(l.next().Body); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if len(l.pending) != 0 {
		t.Errorf("%d messages left", len(l.pending))
	}
}
