package amqptest_test

import (
	"context"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// table is short for the arguments of amqp091-go's methods.
type table = amqp091.Table

// dial connects amqp091-go to a broker.
func dial(t *testing.T, url string) *amqp091.Connection {
	t.Helper()
	c, err := amqp091.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// channelOf opens a channel.
func channelOf(t *testing.T, c *amqp091.Connection) *amqp091.Channel {
	t.Helper()
	ch, err := c.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

// serve starts a server and returns it with a channel of amqp091-go.
func serve(t *testing.T) (*amqptest.Server, *amqp091.Channel) {
	t.Helper()
	server := amqptest.NewServer(t)
	return server, channelOf(t, dial(t, server.URL()))
}

// must fails the test for an error of a step that is not what it tests.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// declare declares a queue.
func declare(t *testing.T, ch *amqp091.Channel, name string, arguments table) amqp091.Queue {
	t.Helper()
	q, err := ch.QueueDeclare(name, false, false, false, false, arguments)
	must(t, err)
	return q
}

// publish publishes a body without properties.
func publish(t *testing.T, ch *amqp091.Channel, exchange, key string, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		publishMessage(t, ch, exchange, key, amqp091.Publishing{Body: []byte(body)})
	}
}

func publishMessage(t *testing.T, ch *amqp091.Channel, exchange, key string, m amqp091.Publishing) {
	t.Helper()
	//amqpfix:ignore publish amqp091-go is the peer of this test
	must(t, ch.PublishWithContext(context.Background(), exchange, key, false, false, m))
}

// consume starts a consumer.
func consume(t *testing.T, ch *amqp091.Channel, queue, tag string, noAck bool) <-chan amqp091.Delivery {
	t.Helper()
	deliveries, err := ch.Consume(queue, tag, noAck, false, false, false, nil)
	must(t, err)
	return deliveries
}

// receive returns what comes next.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v, ok := <-from:
		if !ok {
			t.Fatalf("closed, want a %T", v)
		}
		return v
	case <-time.After(patience):
		t.Fatalf("no %T within %v", *new(T), patience)
	}
	panic("unreachable")
}

// receiveBodies returns the bodies of the next n deliveries.
func receiveBodies(t *testing.T, from <-chan amqp091.Delivery, n int) []string {
	t.Helper()
	var bodies []string
	for len(bodies) < n {
		bodies = append(bodies, string(receive(t, from).Body))
	}
	return bodies
}

// drain gets every ready message of a queue and returns the bodies.
func drain(t *testing.T, ch *amqp091.Channel, queue string) []string {
	t.Helper()
	bodies := []string{}
	for {
		d, ok, err := ch.Get(queue, true)
		must(t, err)
		if !ok {
			return bodies
		}
		bodies = append(bodies, string(d.Body))
	}
}

// settled waits until the server has handled all that was sent on a channel.
func settled(t *testing.T, ch *amqp091.Channel) {
	t.Helper()
	must(t, ch.Flow(true))
}

// waitPublished waits for n publishes.
func waitPublished(t *testing.T, server *amqptest.Server, n int) []amqptest.Published {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	published, err := server.WaitPublished(ctx, n)
	must(t, err)
	return published
}
