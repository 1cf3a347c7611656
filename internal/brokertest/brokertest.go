// Package brokertest starts private RabbitMQ nodes for tests, benchmarks and
// demonstrations.
//
// A node has its own ports, name, Erlang cookie, port mapper (epmd) and data
// folder, reads no configuration of the machine and listens on 127.0.0.1 only,
// so another broker on the machine is neither used nor disturbed. All of it
// ends with [Node.Close], and also when the process that started it ends in any
// other way, SIGKILL included: a small keeper process notices, kills what is
// left and removes the folder.
//
// A test asks for the node that its test binary shares:
//
//	func TestMain(m *testing.M) { brokertest.Main(m) }
//
//	func TestPublish(t *testing.T) {
//		conn, err := newapi.Dial(brokertest.URL(t))
//		…
//	}
//
// A test that stops, kills or pauses the broker takes one of its own with
// [Start]. Programs that are no tests use [Launch].
//
// With AMQP_URL in the environment, tests use that broker instead; those that
// want to control the broker are then skipped. Without AMQP_URL and without an
// installed RabbitMQ a test is skipped, or fails where CI=true or
// AMQPFIX_REQUIRE_BROKER=1 is set.
package brokertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// StartTimeout bounds how long [Shared], [Start] and [Node.Restart] wait for a
// node to serve.
const StartTimeout = 90 * time.Second

var shared struct {
	sync.Mutex
	node *Node
	err  error
}

// URL returns the address of the broker that this test binary shares, as an
// amqp URL for its default virtual host. It is Shared(tb).URL().
func URL(tb testing.TB) string {
	tb.Helper()
	return Shared(tb).URL()
}

// Shared returns the node that all tests of this test binary share, which the
// first call starts. Tests that run after or beside this one find what it
// leaves behind: use queue names of your own, and [Start] for a broker to break.
//
// If tb fails, what the node logged meanwhile is logged to tb.
func Shared(tb testing.TB) *Node {
	tb.Helper()
	if n := external(tb); n != nil {
		return n
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.node == nil && shared.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
		defer cancel()
		shared.node, shared.err = Launch(ctx, Options{})
	}
	check(tb, shared.err)
	logOnFailure(tb, shared.node)
	return shared.node
}

// Start starts a node for tb alone and closes it when tb ends. If tb fails, the
// node's log is logged to tb.
func Start(tb testing.TB) *Node {
	tb.Helper()
	return StartWith(tb, Options{})
}

// StartWith is [Start] with options. Where AMQP_URL names the broker to use,
// options cannot be applied and tb is skipped.
func StartWith(tb testing.TB, opts Options) *Node {
	tb.Helper()
	if n := external(tb); n != nil {
		if opts != (Options{}) {
			tb.Skip("this test configures its broker, so it cannot use the one that AMQP_URL names")
		}
		return n
	}
	ctx, cancel := context.WithTimeout(context.Background(), StartTimeout)
	defer cancel()
	n, err := Launch(ctx, opts)
	check(tb, err)
	tb.Cleanup(func() {
		if err := n.Close(); err != nil {
			tb.Errorf("closing the broker: %v", err)
		}
	})
	logOnFailure(tb, n) // registered last, so it runs before Close
	return n
}

// Main runs the tests of m, stops the shared node and exits the process. If the
// tests passed, it then runs each check, such as one for leaked goroutines:
//
//	brokertest.Main(m, func() error { return goleak.Find() })
//
// An error of a check is printed and makes the run fail.
func Main(m *testing.M, checks ...func() error) {
	code := m.Run()
	if err := stopShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	for _, check := range checks {
		if code != 0 {
			break
		}
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func stopShared() error {
	shared.Lock()
	defer shared.Unlock()
	n := shared.node
	shared.node = nil
	if n == nil {
		return nil
	}
	return n.Close()
}

// external returns the broker that AMQP_URL names, or nil.
func external(tb testing.TB) *Node {
	if url := os.Getenv("AMQP_URL"); url != "" {
		return &Node{url: url, tb: tb}
	}
	return nil
}

// check ends the test if its node could not be started.
func check(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case err == nil:
	case errors.Is(err, ErrNotInstalled) && !brokerRequired():
		tb.Skip(err)
	default:
		tb.Fatal(err)
	}
}

func brokerRequired() bool {
	return os.Getenv("CI") == "true" || os.Getenv("AMQPFIX_REQUIRE_BROKER") == "1"
}

// logOnFailure logs, if tb fails, what n logs from now on.
func logOnFailure(tb testing.TB, n *Node) {
	from := len(n.log())
	tb.Cleanup(func() {
		if !tb.Failed() {
			return
		}
		if log := n.log(); len(log) > from {
			tb.Logf("the broker's log:\n%s", tail(log[from:], 60))
		}
	})
}

// tail returns the last lines of log.
func tail(log []byte, lines int) string {
	all := strings.Split(string(bytes.TrimRight(log, "\n")), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
