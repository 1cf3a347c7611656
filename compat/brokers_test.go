package compat_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func TestMain(m *testing.M) { brokertest.Main(m, func() error { return goleak.Find() }) }

// onBrokers runs test against the broker in this process and against RabbitMQ.
func onBrokers(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("amqptest", func(t *testing.T) { test(t, amqptest.NewServer(t).URL()) })
	t.Run("RabbitMQ", func(t *testing.T) { test(t, brokertest.URL(t)) })
}

func dial(t *testing.T, url string) *compat.Connection {
	t.Helper()
	conn, err := compat.Dial(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func open(t *testing.T, url string) *compat.Channel {
	t.Helper()
	ch, err := dial(t, url).Channel()
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

// declare makes an empty queue that goes with the connection, and names it.
func declare(t *testing.T, ch *compat.Channel) string {
	t.Helper()
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q.Name
}

func publish(t *testing.T, ch *compat.Channel, queue string, p compat.BasicProperties, body string) {
	t.Helper()
	if err := ch.BasicPublish("", queue, false, p, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

// get takes the next message, which may need a moment to reach the queue.
func get(t *testing.T, ch *compat.Channel, queue string) *compat.BasicGetResult {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		got, err := ch.BasicGet(queue, true)
		if err != nil {
			t.Fatal(err)
		}
		if got != nil {
			return got
		}
	}
	t.Fatal("no message arrived")
	return nil
}

// receive takes one value from c; ok is false when c is closed.
func receive[T any](t *testing.T, c <-chan T) (v T, ok bool) {
	t.Helper()
	select {
	case v, ok = <-c:
		return v, ok
	case <-time.After(60 * time.Second):
		t.Fatal("nothing arrived")
		return v, false
	}
}
