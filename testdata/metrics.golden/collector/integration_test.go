//go:build integration

package collector_test

import (
	"context"
	"os"
	"testing"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// broker returns a channel to the broker that AMQP_URL names, and a queue.
func broker(t *testing.T) (*amqp.Channel, string) {
	t.Helper()
	url := os.Getenv("AMQP_URL")
	if url == "" {
		t.Skip("AMQP_URL is not set")
	}
	ch := dial(t, url)
	q, err := ch.QueueDeclare("metrics.integration", false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ch, q.Name
}

// get waits for the next message.
func get(t *testing.T, ch *amqp.Channel, queue string) amqp.Delivery {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		d, ok, err := ch.Get(queue, true)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			return d
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s is empty", queue)
	return amqp.Delivery{}
}

func TestIntegrationHeadersArriveAsTheyAre(t *testing.T) {
	ch, queue := broker(t)
	headers := amqp.Table{"host": "a", "cores": int32(4), "load": 1.5, "tags": []interface{}{"x", "y"}}
	if err := newapi.BasicPublish(context.Background(), ch, "", queue, newapi.BasicProperties{
		Headers: headers,
		Type:    "integration.headers",
	}, nil); err != nil {
		t.Fatal(err)
	}
	got := get(t, ch, queue).Headers
	if got["host"] != "a" || got["cores"] != int32(4) || got["load"] != 1.5 || len(got["tags"].([]interface{})) != 2 {
		t.Errorf("got %v, want %v", got, headers)
	}
}

func TestIntegrationMessages(t *testing.T) {
	tests := map[string]amqp.Publishing{
		"empty": {Type: "integration.messages"},
		"body":  {Type: "integration.messages", Body: []byte("x"), Priority: 3},
		"times": {Type: "integration.messages", Timestamp: time.Unix(1600000000, 0), Expiration: "60000"},
	}
	for _, name := range []string{"empty", "body", "times"} {
		t.Run(name, func(t *testing.T) {
			ch, queue := broker(t)
			want := tests[name]
			if err := newapi.BasicPublish(context.Background(), ch, "", queue, amqp.Header(want), want.Body, newapi.Mandatory); err != nil {
				t.Fatal(err)
			}
			got := get(t, ch, queue)
			if string(got.Body) != string(want.Body) || got.Priority != want.Priority || !got.Timestamp.Equal(want.Timestamp) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestIntegrationOrder(t *testing.T) {
	ch, queue := broker(t)
	numbered := func(n int) amqp.Publishing {
		return amqp.Publishing{Type: "integration.order", Body: []byte{byte(n)}}
	}
	for n := 0; n < 3; n++ {
		if err := amqp.BasicPublish(context.Background(), ch, "", queue, numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < 3; n++ {
		if d := get(t, ch, queue); d.Body[0] != byte(n) {
			t.Errorf("message %d is number %d", n, d.Body[0])
		}
	}
}
