package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi"
)

// These are rows of TestWireCases about what a broker does.

func wireMandatoryPublishes(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	returns := ch.NotifyReturn(make(chan newapi.Return, 16))
	const n = 20000
	type attempt struct {
		d        *newapi.DeferredConfirmation
		routable bool
	}
	var attempts []attempt
	random := rand.New(rand.NewSource(1))
	unroutable := 0
	counted := make(chan int)
	go func() {
		count := 0
		for range returns {
			count++
		}
		counted <- count
	}()
	for i := 0; i < n; i++ {
		key, routable := queue, random.Intn(3) != 0
		if !routable {
			key = "nowhere"
			unroutable++
		}
		body := fmt.Sprint(i / 4) // duplicates included
		d, err := newapi.BasicPublishDeferred(ctx, ch, "", key, newapi.BasicProperties{MessageId: fmt.Sprint(i)}, []byte(body), newapi.Mandatory)
		if err != nil {
			t.Fatal(err)
		}
		attempts = append(attempts, attempt{d, routable})
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i, a := range attempts {
		err := a.d.Result(bounded)
		var returned *newapi.ReturnedError
		if a.routable && err != nil {
			t.Fatalf("message %d was routable: %v", i, err)
		}
		if !a.routable {
			if !errors.As(err, &returned) {
				t.Fatalf("message %d was unroutable: %v", i, err)
			}
			if returned.Return.ReplyCode != newapi.NoRoute || returned.Return.RoutingKey != "nowhere" || !a.d.Acked() {
				t.Fatalf("message %d: %v, acked %v", i, err, a.d.Acked())
			}
		}
	}
	if err := ch.Close(); err != nil {
		t.Error(err)
	}
	if got := <-counted; got != unroutable {
		t.Errorf("NotifyReturn saw %d, want %d", got, unroutable)
	}
}

func wireMissingExchange(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	closed := ch.NotifyClose(make(chan *newapi.Error, 1))
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	var futures []*newapi.DeferredConfirmation
	for {
		d, err := newapi.BasicPublishDeferred(ctx, ch, "no-such-exchange", "k", newapi.BasicProperties{}, []byte("x"))
		if err != nil {
			if err != newapi.ErrClosed {
				t.Errorf("publish on the closed channel: %v, want ErrClosed", err)
			}
			break
		}
		futures = append(futures, d)
		if len(futures) > 1<<20 {
			t.Fatal("the channel is not closed")
		}
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, d := range futures {
		err := d.Result(bounded)
		var reason *newapi.Error
		if !errors.Is(err, newapi.ErrLost) || !errors.As(err, &reason) || reason.Code != newapi.NotFound {
			t.Fatalf("tag %d: %v; want ErrLost with the 404", d.DeliveryTag, err)
		}
	}
	if err := receive(t, "NotifyClose", closed); err.Code != newapi.NotFound || !err.Server || !err.Recover {
		t.Errorf("NotifyClose: %#v", err)
	}
	drained(t, "NotifyClose", closed)
	if _, err := open(t, conn).QueueDeclare("", false, true, true, false, nil); err != nil {
		t.Errorf("another channel of the connection: %v", err)
	}
}

func wireExitAfterPublish(t *testing.T) {
	if url := os.Getenv("AMQPFIX_TEST_EXIT_AFTER_PUBLISH"); url != "" {
		conn, err := newapi.Dial(url)
		if err != nil {
			t.Fatal(err)
		}
		err = newapi.BasicPublish(ctx, open(t, conn), "", os.Getenv("AMQPFIX_TEST_QUEUE"), newapi.BasicProperties{MessageId: "last words"}, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		os.Exit(0)
	}
	ch := open(t, dial(t, newapi.Config{}))
	q, err := ch.QueueDeclare("", false, true, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var self []string // this test, as -test.run takes it
	for _, name := range strings.Split(t.Name(), "/") {
		self = append(self, "^"+regexp.QuoteMeta(name)+"$")
	}
	const runs = 5
	for i := 0; i < runs; i++ {
		cmd := exec.Command(os.Args[0], "-test.run="+strings.Join(self, "/"))
		cmd.Env = append(os.Environ(), "AMQPFIX_TEST_EXIT_AFTER_PUBLISH="+brokertest.URL(t), "AMQPFIX_TEST_QUEUE="+q.Name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	deliveries, err := ch.Consume(q.Name, "", true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < runs; i++ {
		if d := receive(t, "delivery", deliveries); d.MessageId() != "last words" {
			t.Errorf("received %v", d.ReadOnlyBasicProperties)
		}
	}
}

// wireRefusedForSize publishes more than RabbitMQ takes, which is 128 MiB or less.
func wireRefusedForSize(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	queue := declare(t, ch)
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d, err := newapi.BasicPublishDeferred(bounded, ch, "", queue, newapi.BasicProperties{}, make([]byte, 128<<20+1))
	if err != nil {
		t.Fatal(err)
	}
	var reason *newapi.Error
	if err := d.Result(bounded); !errors.Is(err, newapi.ErrLost) || !errors.As(err, &reason) ||
		reason.Code != newapi.PreconditionFailed || !strings.Contains(err.Error(), "size") {
		t.Errorf("Result: %v; want ErrLost with the broker's 406 about the size", err)
	}
	if err := newapi.BasicPublish(bounded, ch, "", queue, newapi.BasicProperties{}, nil); err != newapi.ErrClosed {
		t.Errorf("publish after that: %v, want ErrClosed", err)
	}
	// Nothing is tried again: the connection is as before, and the queue empty.
	if _, ok, err := open(t, conn).Get(queue, true); ok || err != nil {
		t.Errorf("Get: %v, %v; want an empty queue", ok, err)
	}
}

// wireIntegersThroughABroker publishes integers of every size and gets them back.
func wireIntegersThroughABroker(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	sent := newapi.Table{"int": 3, "int64": int64(2419200000), "uint16": uint16(3), "uint32": uint32(3), "uint8": uint8(200), "int8": int8(-1)}
	if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{Headers: sent}, nil); err != nil {
		t.Fatal(err)
	}
	d, ok, err := ch.Get(queue, true)
	if err != nil || !ok {
		t.Fatalf("Get: %v, %v", ok, err)
	}
	for name, value := range sent {
		if got, _ := d.Header(name); fmt.Sprint(got) != fmt.Sprint(value) {
			t.Errorf("%s arrives as %T(%v), sent %v", name, got, got, value)
		}
	}
}
