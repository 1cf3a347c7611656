package rpcclient_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/rpcgateway/rpcclient"
)

// dial returns a channel to the broker that AMQP_URL names, or to one in the
// test process.
func dial(t *testing.T) *amqp.Channel {
	t.Helper()
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = amqptest.NewServer(t).URL()
	}
	conn, err := amqp.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func TestCallCanBeGivenUp(t *testing.T) {
	ch := dial(t)
	q, err := ch.QueueDeclare("rpcclient.test", false, true, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls, err := ch.Consume(q.Name, "", true, true, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := rpcclient.New(ch, q.Name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	arrived := make(chan amqp.Delivery, 1)
	go func() {
		arrived <- <-calls
		cancel()
	}()
	if _, err := c.Call(ctx, "square", []byte("7")); !errors.Is(err, context.Canceled) {
		t.Errorf("Call = %v, want %v", err, context.Canceled)
	}
	d := <-arrived
	if d.AppId != "square" || string(d.Body) != "7" || d.ReplyTo == "" || d.CorrelationId != "client-1" {
		t.Errorf("the server got %+v", d)
	}
}
