package newapi_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

const exitURL = "AMQPFIX_TEST_EXIT_AFTER_A_BURST"

// A process may end as soon as a publish has returned nil, without Close: its
// system sends what it was given. (What the broker sent and the process has not
// read, such as a confirmation, makes the system reset the connection instead: then
// the last publishes count as unconfirmed, as they are.)
func TestPublishedIsSentWhenTheProcessEnds(t *testing.T) {
	const burst = 300
	if url := os.Getenv(exitURL); url != "" {
		conn, err := newapi.Dial(url)
		if err != nil {
			t.Fatal(err)
		}
		ch := open(t, conn)
		for i := 0; i < burst; i++ {
			if err := newapi.BasicPublish(ctx, ch, "", "q", newapi.BasicProperties{}, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		os.Exit(0)
	}
	server := amqptest.NewServer(t)
	for run := 0; run < 3; run++ {
		server.Reset()
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), exitURL+"="+server.URL())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		patient, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if _, err := server.WaitPublished(patient, burst); err != nil {
			t.Fatalf("run %d: %v; %d of %d publishes that returned nil arrived", run, err, len(server.Published()), burst)
		}
	}
}
