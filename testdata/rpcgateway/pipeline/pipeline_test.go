package pipeline_test

import (
	"context"
	"testing"

	"example.com/amqptrace"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/rpcgateway/pipeline"
)

// open returns a channel in confirm mode with a queue.
func open(t *testing.T) (*amqptest.Server, *amqp.Channel, string) {
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
	q, err := ch.QueueDeclare("values", false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	return server, ch, q.Name
}

func TestStreamWaitsForAll(t *testing.T) {
	server, ch, queue := open(t)
	if err := pipeline.Stream(context.Background(), ch, queue, "a", "b"); err != nil {
		t.Fatal(err)
	}
	if n := len(server.Messages(queue)); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
	server.NackNext(1)
	if err := pipeline.Stream(context.Background(), ch, queue, "c", "d"); err == nil {
		t.Error("no error for a message that the broker has refused")
	}
}

func TestTraceIDTravels(t *testing.T) {
	_, ch, queue := open(t)
	ctx := amqptrace.With(context.Background(), "00-1-2-01")
	if err := pipeline.Traced(ctx, ch, queue, "x"); err != nil {
		t.Fatal(err)
	}
	d, ok, err := ch.Get(queue, true)
	if err != nil || !ok {
		t.Fatalf("get: %v, %v", ok, err)
	}
	if id, _ := amqptrace.Extract(d); id != "00-1-2-01" {
		t.Errorf("trace id %q", id)
	}
}

func TestUnknownSignalPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_ = pipeline.Signal(nil, "q", "no such signal")
}
