package amqp091_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	upstream "github.com/rabbitmq/amqp091-go"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func get(t testing.TB, ch *amqp.Channel, queue string) amqp.Delivery {
	t.Helper()
	var d amqp.Delivery
	eventually(t, "a message is in the queue", func() (ok bool) {
		var err error
		if d, ok, err = ch.Get(queue, true); err != nil {
			t.Fatal(err)
		}
		return ok
	})
	return d
}

func consume(t testing.TB, ch *amqp.Channel, queue, tag string) <-chan amqp.Delivery {
	t.Helper()
	deliveries, err := ch.Consume(queue, tag, false, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return deliveries
}

// asUpstream compares two deliveries but for the channels they came by. Times are
// compared as == does, location included.
var asUpstream = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		return p.String() == "Acknowledger" || p.String() == "DeliveryTag"
	}, cmp.Ignore()),
	cmp.Comparer(func(a, b time.Time) bool { return a == b }),
	cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Body" },
		cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) })),
}

func TestDeliveriesAreUpstreams(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch, old := open(t, url), openUpstream(t, url, upstream.Config{})
		const exchange, tag = "amq.topic", "reader"
		key := fmt.Sprint("deliveries.", time.Now().UnixNano())
		bound := func() string {
			q, err := ch.QueueDeclare("", false, true, false, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := ch.QueueBind(q.Name, key, exchange, false, nil); err != nil {
				t.Fatal(err)
			}
			return q.Name
		}
		ours, queue := consume(t, ch, bound(), tag), bound()
		theirs, err := old.Consume(bound(), tag, false, false, false, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, msg := range messages() {
			t.Run(name, func(t *testing.T) {
				if err := old.Publish(exchange, key, false, false, msg); err != nil {
					t.Fatal(err)
				}
				want, _ := receive(t, theirs)
				got, _ := receive(t, ours)
				if got.Acknowledger != amqp.Acknowledger(ch) {
					t.Errorf("Acknowledger is %T", got.Acknowledger)
				}
				if diff := cmp.Diff(want, got, asUpstream); diff != "" {
					t.Errorf("consumed: amqp091-go's (-) and ours (+) differ:\n%s", diff)
				}
				if err := got.Ack(false); err != nil {
					t.Error(err)
				}
				got = get(t, ch, queue)
				want.ConsumerTag = ""
				if diff := cmp.Diff(want, got, asUpstream); diff != "" {
					t.Errorf("got: amqp091-go's (-) and ours (+) differ:\n%s", diff)
				}
			})
		}
	})
}

func TestGetTellsWhatIsLeft(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := confirming(t, open(t, url))
		queue := declare(t, ch)
		if d, ok, err := ch.Get(queue, true); ok || err != nil || d.Body != nil {
			t.Errorf("from an empty queue: %v, %v, %v", d, ok, err)
		}
		for i := 0; i < 3; i++ {
			dc, err := ch.PublishWithDeferredConfirm("", queue, false, false, amqp.Publishing{})
			if err != nil || !dc.Wait() {
				t.Fatal(err)
			}
		}
		d, ok, err := ch.Get(queue, false)
		if !ok || err != nil || d.MessageCount != 2 {
			t.Errorf("%d left (%v, %v), want 2", d.MessageCount, ok, err)
		}
		if err := d.Nack(false, true); err != nil {
			t.Error(err)
		}
		d, _, err = ch.Get(queue, false)
		if !d.Redelivered || err != nil {
			t.Errorf("redelivered is %v, error %v", d.Redelivered, err)
		}
		if err := d.Reject(false); err != nil {
			t.Error(err)
		}
	})
}

// A string that a program keeps does not keep the message it came with.
func TestKeptStringsDoNotKeepTheBody(t *testing.T) {
	const messages, size = 48, 1 << 20
	ch := open(t, amqptest.NewServer(t).URL())
	queue := declare(t, ch)
	var ids []string
	for i := 0; i < messages; i++ {
		msg := amqp.Publishing{MessageId: fmt.Sprint("message ", i), Body: make([]byte, size)}
		if err := ch.Publish("", queue, false, false, msg); err != nil {
			t.Fatal(err)
		}
	}
	// amqptest, in this process, keeps what was published: measure around receiving.
	before := inUse()
	for i := 0; i < messages; i++ {
		d, ok, err := ch.Get(queue, true)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		ids = append(ids, d.MessageId, d.RoutingKey)
	}
	if grown := inUse() - before; grown > messages*size/2 {
		t.Errorf("%d strings keep %d bytes", len(ids), grown)
	}
	runtime.KeepAlive(ids)
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Nothing bounds what waits for a consumer but the prefetch.
func TestUnreadDeliveriesWaitWithoutLimit(t *testing.T) {
	const count = 5000
	server := amqptest.NewServer(t)
	ch := open(t, server.URL())
	queue := declare(t, ch)
	deliveries := consume(t, ch, queue, "")
	if cap(deliveries) != 0 {
		t.Errorf("capacity %d; what is in it would outlive the channel", cap(deliveries))
	}
	for i := 0; i < count; i++ {
		publish(t, ch, queue, fmt.Sprint(i))
	}
	// The connection is not held up by what nobody reads.
	if _, err := ch.QueueDeclarePassive(queue, false, false, true, false, nil); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < count; i++ {
		if d, ok := receive(t, deliveries); !ok || string(d.Body) != fmt.Sprint(i) {
			t.Fatalf("delivery %d is %q (%v)", i, d.Body, ok)
		}
	}
}

func TestCancelledConsumerYieldsWhatHadArrived(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		const count = 500
		ch := confirming(t, open(t, url))
		queue := declare(t, ch)
		deliveries := consume(t, ch, queue, "tag")
		for i := 0; i < count; i++ {
			dc, err := ch.PublishWithDeferredConfirm("", queue, false, false, amqp.Publishing{Body: []byte(fmt.Sprint(i))})
			if err != nil || i == count-1 && !dc.Wait() {
				t.Fatal("not published:", err)
			}
		}
		eventually(t, "the queue is empty", func() bool {
			q, err := ch.QueueDeclarePassive(queue, false, false, true, false, nil)
			return err != nil || q.Messages == 0
		})
		if err := ch.Cancel("tag", false); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < count; i++ {
			if d, ok := receive(t, deliveries); !ok || string(d.Body) != fmt.Sprint(i) {
				t.Fatalf("delivery %d is %q (%v)", i, d.Body, ok)
			}
		}
		wantClosed(t, deliveries)
	})
}

func TestClosedChannelDropsUnreadDeliveries(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		deliveries := consume(t, ch, queue, "")
		for i := 0; i < 500; i++ {
			publish(t, ch, queue, "unread")
		}
		first, _ := receive(t, deliveries)
		if err := ch.Close(); err != nil {
			t.Fatal(err)
		}
		// One may be on its way to the reader already.
		left := 0
		for range deliveries {
			left++
		}
		if left > 1 {
			t.Errorf("%d deliveries after Close", left)
		}
		if err := first.Ack(false); err != amqp.ErrClosed {
			t.Errorf("acknowledging after Close: %v", err)
		}
		if err := (amqp.Delivery{}).Ack(false); err != amqp.ErrDeliveryNotInitialized {
			t.Errorf("acknowledging the zero delivery: %v", err)
		}
	})
}

func TestConsumerEndsWithItsContext(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		ctx, cancel := context.WithCancel(context.Background())
		deliveries, err := ch.ConsumeWithContext(ctx, queue, "", true, false, false, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		publish(t, ch, queue, "one")
		if d, _ := receive(t, deliveries); string(d.Body) != "one" {
			t.Errorf("received %q", d.Body)
		}
		cancel()
		wantClosed(t, deliveries)
		if _, err := ch.ConsumeWithContext(ctx, queue, "", true, false, false, false, nil); err != context.Canceled {
			t.Errorf("with a context that has ended: %v", err)
		}
	})
}

func TestConsumerTagInUseIsAnErrorAndNoMore(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		deliveries := consume(t, ch, queue, "tag")
		if _, err := ch.Consume(queue, "tag", true, false, false, false, nil); err == nil {
			t.Error("no error")
		}
		publish(t, ch, queue, "one")
		if d, ok := receive(t, deliveries); !ok || string(d.Body) != "one" {
			t.Errorf("the first consumer received %q (%v)", d.Body, ok)
		}
	})
}

func TestArgumentsAreCheckedAsUpstreamDoes(t *testing.T) {
	ch := open(t, amqptest.NewServer(t).URL())
	args := amqp.Table{"x": uint64(1)}
	want := args.Validate().Error()
	queueError := func(_ amqp.Queue, err error) error { return err }
	chanError := func(_ <-chan amqp.Delivery, err error) error { return err }
	for name, err := range map[string]error{
		"ExchangeDeclare":        ch.ExchangeDeclare("x", "direct", false, false, false, false, args),
		"ExchangeDeclarePassive": ch.ExchangeDeclarePassive("x", "direct", false, false, false, false, args),
		"ExchangeBind":           ch.ExchangeBind("x", "", "y", false, args),
		"ExchangeUnbind":         ch.ExchangeUnbind("x", "", "y", false, args),
		"QueueDeclare":           queueError(ch.QueueDeclare("q", false, false, false, false, args)),
		"QueueDeclarePassive":    queueError(ch.QueueDeclarePassive("q", false, false, false, false, args)),
		"QueueBind":              ch.QueueBind("q", "", "x", false, args),
		"QueueUnbind":            ch.QueueUnbind("q", "", "x", args),
		"Consume":                chanError(ch.Consume("q", "", false, false, false, false, args)),
		"ConsumeWithContext":     chanError(ch.ConsumeWithContext(context.Background(), "q", "", false, false, false, false, args)),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	declare(t, ch) // the channel is still open
}

// A delivery can be sent on in the new way.
func TestForwardingADelivery(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		from, to := declare(t, ch), declare(t, ch)
		msg := amqp.Publishing{MessageId: "m", Headers: amqp.Table{"at": time.Unix(5, 0)}, Body: []byte("body")}
		if err := ch.Publish("", from, false, false, msg); err != nil {
			t.Fatal(err)
		}
		d := get(t, ch, from)
		err := newapi.BasicPublish(context.Background(), ch, "", to,
			newapi.BasicProperties{MessageId: d.MessageId, Headers: d.Headers}, d.Body)
		if err != nil {
			t.Fatal(err)
		}
		sent := get(t, ch, to)
		if sent.MessageId != "m" || sent.Headers["at"] != time.Unix(5, 0) || !bytes.Equal(sent.Body, msg.Body) {
			t.Errorf("sent on: %+v", sent)
		}
	})
}
