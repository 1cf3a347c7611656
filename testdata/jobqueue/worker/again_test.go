package worker

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

func TestAttemptCountsFromTheHeader(t *testing.T) {
	tests := []struct {
		headers amqp.Table
		want    int64
	}{
		{nil, 0},
		{amqp.Table{attemptHeader: int64(2)}, 2},
		{amqp.Table{attemptHeader: "2"}, 0}, // not ours
	}
	for _, tt := range tests {
		if got := attempt(amqp.Delivery{Headers: tt.headers}); got != tt.want {
			t.Errorf("attempt with headers %v = %d, want %d", tt.headers, got, tt.want)
		}
	}
}
