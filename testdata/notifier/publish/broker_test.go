package publish_test

import (
	"context"
	"errors"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/notifier/event"
	"example.com/notifier/publish"
)

// open returns a publisher on a broker, and a queue that gets all it publishes.
func open(t *testing.T) (*amqptest.Server, *publish.Publisher) {
	t.Helper()
	server := amqptest.NewServer(t)
	conn, err := amqp.Dial(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	var cfg publish.Config
	cfg.Publish.Exchange = "events"
	p, err := publish.New(ch, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ch.QueueDeclare("all", false, true, true, false, nil); err != nil {
		t.Fatal(err)
	}
	if err := ch.QueueBind("all", "#", "events", false, nil); err != nil {
		t.Fatal(err)
	}
	return server, p
}

func TestSureWaitsForTheBroker(t *testing.T) {
	server, p := open(t)
	if err := p.Sure(context.Background(), "a", "text"); err != nil {
		t.Fatal(err)
	}
	if q, _ := server.Queue("all"); q.Ready != 1 {
		t.Errorf("%d messages arrived, want 1", q.Ready)
	}
	server.NackNext(1)
	if err := p.Sure(context.Background(), "a", "text"); !errors.Is(err, publish.ErrRefused) {
		t.Errorf("Sure = %v, want %v", err, publish.ErrRefused)
	}
}

func TestOptionsArrive(t *testing.T) {
	server, p := open(t)
	ctx := context.Background()
	if err := p.Send(ctx, "a", "text", event.WithHeader("lang", "de"), event.WithPriority(4)); err != nil {
		t.Fatal(err)
	}
	if err := p.Forward(ctx, "b", amqp.Publishing{AppId: "elsewhere"}); err != nil {
		t.Fatal(err)
	}
	messages := server.Messages("all")
	if len(messages) != 2 {
		t.Fatalf("%d messages arrived, want 2", len(messages))
	}
	if got := messages[0].Properties; got.Priority() != 4 || got.Headers()["lang"] != "de" {
		t.Errorf("first message: %v", got)
	}
	if got := messages[1].Properties; got.AppId() != "elsewhere" {
		t.Errorf("second message: %v", got)
	}
}
