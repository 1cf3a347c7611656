package newapi_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

const exitURL = "AMQPFIX_TEST_EXIT_AFTER_A_BURST"

// A process may end at any moment after a publish has returned nil, also with
// octets of the broker that it has not read: its system then resets the connection,
// and only what has been sent arrives.
func TestPublishedIsSentWhenTheProcessEnds(t *testing.T) {
	const burst = 300
	if url := os.Getenv(exitURL); url != "" {
		conn, err := newapi.Dial(url)
		if err != nil {
			t.Fatal(err)
		}
		ch := open(t, conn)
		if err := ch.Confirm(false); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < burst; i++ {
			if err := newapi.BasicPublish(ctx, ch, "", "q", newapi.BasicProperties{}, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		os.Exit(0)
	}
	server := amqptest.NewServer(t)
	for run := 0; run < 5; run++ {
		between, sent := listenBetween(t, server.URL())
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), exitURL+"="+between)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := publishes(t, receive(t, "what the process sent", sent)); got != burst {
			t.Fatalf("run %d: %d of %d publishes that returned nil arrived", run, got, burst)
		}
	}
}

// listenBetween returns the URL of a listener that passes one connection on to a
// broker, and sends so many heartbeats that its client has always some to read; and
// what the client has sent until its end.
func listenBetween(t *testing.T, broker string) (between string, sent <-chan []byte) {
	t.Helper()
	u, err := url.Parse(broker)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	all := make(chan []byte, 1)
	go func() {
		defer close(all)
		defer server.Close()
		client, err := l.Accept()
		l.Close()
		if err != nil {
			return
		}
		defer client.Close()
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _ = io.Copy(client, server) // until either has ended
		}()
		var got []byte
		buf := make([]byte, 64<<10)
		for err == nil {
			var n int
			n, err = client.Read(buf)
			got = append(got, buf[:n]...)
			if bytes.Contains(buf[:n], []byte("\x00\x3c\x00\x28")) { // basic.publish: nothing comes back but acks
				server.Close()
				<-answered
				_, _ = client.Write(bytes.Repeat([]byte("\x08\x00\x00\x00\x00\x00\x00\xce"), 1<<14))
			} else {
				_, _ = server.Write(buf[:n])
			}
		}
		all <- got
	}()
	u.Host = l.Addr().String()
	return u.String(), all
}

// publishes counts the basic.publish methods in what a client sent.
func publishes(t *testing.T, b []byte) (n int) {
	t.Helper()
	const greeting = 8
	for b = b[min(greeting, len(b)):]; len(b) >= 7; {
		size := 8 + int(binary.BigEndian.Uint32(b[3:]))
		if size > len(b) {
			break
		}
		if b[0] == 1 && bytes.HasPrefix(b[7:], []byte("\x00\x3c\x00\x28")) {
			n++
		}
		b = b[size:]
	}
	return n
}
