package stock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/compat"

	"example.com/shop/internal/brokertest"
	"example.com/shop/internal/stamp"
	"example.com/shop/internal/topology"
	"example.com/shop/stock"
)

// serve starts a server with ten lamps and returns a client of it, and a channel
// and the names to talk past the client.
func serve(t *testing.T) (*stock.Client, *compat.Channel, topology.Names) {
	t.Helper()
	conn, ch, names := brokertest.Open(t)
	server, err := stock.NewServer(brokertest.Channel(t, conn), names.Reservations, map[string]int{"lamp": 10})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve() }()
	t.Cleanup(func() {
		_ = conn.Close()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	stamps := stamp.NewSequence("call", time.Date(2024, time.May, 2, 9, 0, 0, 0, time.UTC))
	client, err := stock.NewClient(brokertest.Channel(t, conn), names.Reservations, names.Replies, stamps)
	if err != nil {
		t.Fatal(err)
	}
	return client, ch, names
}

func TestReserveAndRelease(t *testing.T) {
	client, _, _ := serve(t)
	if left, err := client.Reserve("lamp", 4); err != nil || left != 6 {
		t.Fatalf("Reserve(lamp, 4) = %d, %v; want 6, nil", left, err)
	}
	if _, err := client.Reserve("lamp", 7); err == nil || !strings.Contains(err.Error(), "7 of lamp wanted, 6 left") {
		t.Fatalf("Reserve(lamp, 7) = %v, want an error that says 6 are left", err)
	}
	client.Flush()
	if err := client.Release("lamp", 4); err != nil {
		t.Fatal(err)
	}
	if left, err := client.Reserve("lamp", 10); err != nil || left != 0 {
		t.Fatalf("Reserve(lamp, 10) = %d, %v; want 0, nil", left, err)
	}
}

// A request that makes no sense gets an error for an answer and does not stop
// the server.
func TestGarbageIsAnswered(t *testing.T) {
	client, ch, names := serve(t)
	answers := names.Replies + ".garbage"
	if _, err := ch.QueueDeclare(answers, false, false, true, false, nil); err != nil {
		t.Fatal(err)
	}
	incoming, err := ch.BasicConsume(answers, "", true, nil)
	if err != nil {
		t.Fatal(err)
	}

	props := ch.CreateBasicProperties()
	props.SetType("stock.garbage")
	props.SetReplyTo(answers)
	props.SetCorrelationId("garbage-1")
	if err := ch.BasicPublish("", names.Reservations, false, props, []byte("lamps, please")); err != nil {
		t.Fatal(err)
	}

	select {
	case d := <-incoming:
		want := `error: request "lamps, please": "please" is not a number`
		if string(d.Body) != want || d.Properties.CorrelationId() != "garbage-1" {
			t.Errorf("answer %q to %q, want %q to garbage-1", d.Body, d.Properties.CorrelationId(), want)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
	if left, err := client.Reserve("lamp", 1); err != nil || left != 9 {
		t.Fatalf("Reserve(lamp, 1) = %d, %v; want 9, nil", left, err)
	}
}
