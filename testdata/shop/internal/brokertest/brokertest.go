// Package brokertest connects tests to a broker.
package brokertest

import (
	"os"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi/amqptest"

	"example.com/shop/internal/topology"
)

// Dial returns a connection to the broker that AMQP_URL names, or to one inside
// the test process when it is not set. The connection is closed with the test.
func Dial(tb testing.TB) *compat.Connection {
	tb.Helper()
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = amqptest.NewServer(tb).URL()
	}
	conn, err := compat.Dial(url)
	if err != nil {
		tb.Fatalf("dial: %v", err)
	}
	tb.Cleanup(func() { _ = conn.Close() })
	return conn
}

// Open returns a connection, a channel on it and a topology under the test's
// own name, declared.
func Open(tb testing.TB) (*compat.Connection, *compat.Channel, topology.Names) {
	tb.Helper()
	conn := Dial(tb)
	ch := Channel(tb, conn)
	names := topology.Named("test." + strings.ReplaceAll(tb.Name(), "/", "."))
	if err := names.Declare(ch); err != nil {
		tb.Fatal(err)
	}
	return conn, ch, names
}

// Channel opens one more channel.
func Channel(tb testing.TB, conn *compat.Connection) *compat.Channel {
	tb.Helper()
	ch, err := conn.CreateModel()
	if err != nil {
		tb.Fatalf("open a channel: %v", err)
	}
	return ch
}

// Get takes the next message from queue, which must hold one.
func Get(tb testing.TB, ch *compat.Channel, queue string) *compat.BasicGetResult {
	tb.Helper()
	got, err := ch.BasicGet(queue, true)
	if err != nil {
		tb.Fatalf("get from %s: %v", queue, err)
	}
	if got == nil {
		tb.Fatalf("%s is empty, want a message", queue)
	}
	return got
}
