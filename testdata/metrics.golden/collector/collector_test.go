package collector_test

import (
	"expvar"
	"testing"
	"time"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi/amqptest"

	"example.com/metrics/collector"
	"example.com/metrics/point"
)

// dial connects to a broker.
func dial(t *testing.T, url string) *amqp.Channel {
	t.Helper()
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

func TestCollectCountsWhatItSends(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := dial(t, server.URL())
	if _, err := ch.QueueDeclare("points", false, true, true, false, nil); err != nil {
		t.Fatal(err)
	}
	c := collector.New(ch, "points", "test-sent")
	load := func() point.Point { return point.Point{Name: "load", Value: 1.5, At: time.Unix(60, 0)} }
	if err := c.Collect(load, load); err != nil {
		t.Fatal(err)
	}
	if err := c.Host(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"load 1.5", "load 1.5", "unix"} {
		d, ok, err := ch.Get("points", true)
		if err != nil || !ok {
			t.Fatalf("get: %v, %v", ok, err)
		}
		if string(d.Body) != want {
			t.Errorf("got %q, want %q", d.Body, want)
		}
	}
	if got := expvar.Get("test-sent").String(); got != "3" {
		t.Errorf("sent %s, want 3", got)
	}
}
