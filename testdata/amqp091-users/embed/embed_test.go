package embed

import (
	"context"
	"os"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/users/tracing"
)

func TestEmbedded(t *testing.T) {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		t.Skip("AMQP_URL is not set")
	}
	dialled, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	conn := &Connection{dialled, "test"}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	q, err := ch.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.QueueBind(q.Name, "embed.*", "amq.topic", false, nil); err != nil {
		t.Fatal(err)
	}
	deliveries, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := tracing.With(context.Background(), "trace-1")
	if err := ch.PublishWithContext(ctx, "amq.topic", "embed.one", false, false, amqp.Publishing{Body: []byte("one")}); err != nil {
		t.Fatal(err)
	}
	service := NewService(ch.Channel)
	if err := service.Emit("embed.two", []byte("two")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ body, trace string }{{"one", "trace-1"}, {"two", ""}} {
		select {
		case d := <-deliveries:
			if string(d.Body) != want.body || tracing.Of(d) != want.trace {
				t.Errorf("received %q, trace %q", d.Body, tracing.Of(d))
			}
			if _, ok := d.Acknowledger.(*amqp.Channel); !ok {
				t.Errorf("Acknowledger is %T", d.Acknowledger)
			}
			if err := tracing.Acked(d); err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nothing received")
		}
	}
	if ch.Published() != 1 {
		t.Errorf("counted %d", ch.Published())
	}
	if err := service.Close(); err != nil {
		t.Error(err)
	}
	if e := <-service.closed; e != nil {
		t.Errorf("closed with %v", e)
	}
	if _, ok := <-deliveries; ok {
		t.Error("a delivery after Close")
	}
}
