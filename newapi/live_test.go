package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi"
)

// patience bounds every wait of these tests; it is far beyond what passing takes.
const patience = 60 * time.Second

func dial(tb testing.TB, config newapi.Config) *newapi.Connection {
	tb.Helper()
	conn, err := newapi.DialConfig(brokertest.URL(tb), config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := conn.Close(); err != nil && !errors.Is(err, newapi.ErrClosed) {
			tb.Errorf("Close: %v", err)
		}
	})
	return conn
}

func open(tb testing.TB, conn *newapi.Connection) *newapi.Channel {
	tb.Helper()
	ch, err := conn.Channel()
	if err != nil {
		tb.Fatal(err)
	}
	return ch
}

// declare makes a queue that lives as long as the connection.
func declare(tb testing.TB, ch *newapi.Channel) string {
	tb.Helper()
	q, err := ch.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return q.Name
}

func receive[T any](tb testing.TB, what string, c <-chan T) T {
	tb.Helper()
	select {
	case v, ok := <-c:
		if !ok {
			tb.Fatalf("%s: the chan is closed", what)
		}
		return v
	case <-time.After(patience):
		tb.Fatalf("%s: nothing received", what)
	}
	panic("unreachable")
}

func drained[T any](tb testing.TB, what string, c <-chan T) {
	tb.Helper()
	for {
		select {
		case _, ok := <-c:
			if !ok {
				return
			}
		case <-time.After(patience):
			tb.Fatalf("%s: the chan is not closed", what)
		}
	}
}

var ctx = context.Background()

func TestPublishGetAck(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	sent := newapi.BasicProperties{
		ContentType: "text/plain", ContentEncoding: "identity", Headers: newapi.Table{"k": int32(7)},
		DeliveryMode: newapi.Persistent, Priority: 3, CorrelationId: "c", ReplyTo: "r", Expiration: "60000",
		MessageId: "m", Timestamp: time.Unix(1700000000, 0).UTC(), Type: "t", UserId: "guest", AppId: "a", ClusterId: "cl",
	}
	if err := newapi.BasicPublish(ctx, ch, "", queue, sent, []byte("x")); err != nil {
		t.Fatal(err)
	}
	d, ok, err := ch.Get(queue, false)
	if err != nil || !ok {
		t.Fatalf("Get: %v, %v", ok, err)
	}
	if got := d.Struct(); fmt.Sprint(got) != fmt.Sprint(sent) {
		t.Errorf("received %v, sent %v", got, sent)
	}
	if string(d.Body) != "x" || d.RoutingKey != queue || d.Exchange != "" {
		t.Errorf("received body %q, exchange %q, routing key %q", d.Body, d.Exchange, d.RoutingKey)
	}
	if err := d.Ack(false); err != nil {
		t.Error(err)
	}
	if _, ok, err := ch.Get(queue, false); ok || err != nil {
		t.Errorf("second Get: %v, %v; want an empty queue", ok, err)
	}
}

func TestConsumeReceivesInOrderAndCancelDrains(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	const n = 1000
	for i := 0; i < n; i++ {
		if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{}, []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	deliveries, err := ch.Consume(queue, "me", false, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var last newapi.Delivery
	for i := 0; i < n; i++ {
		last = receive(t, "delivery", deliveries)
		if string(last.Body) != fmt.Sprint(i) || last.ConsumerTag != "me" {
			t.Fatalf("delivery %d: body %q, tag %q", i, last.Body, last.ConsumerTag)
		}
	}
	if err := last.Ack(true); err != nil {
		t.Error(err)
	}
	if err := ch.Cancel("me", false); err != nil {
		t.Error(err)
	}
	drained(t, "deliveries", deliveries)
}

func TestConsumeWithContextEndsWithContext(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	cancellable, cancel := context.WithCancel(ctx)
	deliveries, err := ch.ConsumeWithContext(cancellable, queue, "", true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	drained(t, "deliveries", deliveries)
	if _, err := ch.ConsumeWithContext(cancellable, queue, "", true, false, false, false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

func TestConsumerTagInUseIsRefusedLocally(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	if _, err := ch.Consume(queue, "tag", true, false, false, false, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ch.Consume(queue, "tag", true, false, false, false, nil); err == nil || !strings.Contains(err.Error(), `"tag"`) {
		t.Errorf("got %v, want an error that names the tag", err)
	}
	if ch.IsClosed() {
		t.Error("the channel is closed")
	}
}

func TestConfirms(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	notices := ch.NotifyPublish(make(chan newapi.Confirmation)) // unbuffered
	if d, err := newapi.BasicPublishDeferred(ctx, ch, "", queue, newapi.BasicProperties{}, nil); d != nil || err != nil {
		t.Fatalf("outside confirm mode: %v, %v; want no future", d, err)
	}
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	if got := ch.GetNextPublishSeqNo(); got != 1 {
		t.Errorf("GetNextPublishSeqNo: %d, want 1", got)
	}
	const n = 500
	var futures []*newapi.DeferredConfirmation
	for i := 1; i <= n; i++ {
		d, err := newapi.BasicPublishDeferred(ctx, ch, "", queue, newapi.BasicProperties{}, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		if d.DeliveryTag != uint64(i) {
			t.Fatalf("tag %d, want %d", d.DeliveryTag, i)
		}
		futures = append(futures, d)
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, d := range futures {
		if err := d.Result(bounded); err != nil {
			t.Fatalf("tag %d: %v", d.DeliveryTag, err)
		}
		if ok, err := d.WaitContext(bounded); !ok || err != nil || !d.Acked() || !d.Wait() {
			t.Fatalf("tag %d: WaitContext %v, %v, Acked %v", d.DeliveryTag, ok, err, d.Acked())
		}
	}
	for i := 1; i <= n; i++ {
		if got := receive(t, "confirmation", notices); got != (newapi.Confirmation{DeliveryTag: uint64(i), Ack: true}) {
			t.Fatalf("confirmation %d: %+v", i, got)
		}
	}
}

func TestCallErrorsCarryTheBrokersReason(t *testing.T) {
	conn := dial(t, newapi.Config{})
	for _, test := range []struct {
		name string
		code int
		call func(*newapi.Channel) error
	}{
		{"passive declare", newapi.NotFound, func(ch *newapi.Channel) error {
			_, err := ch.QueueDeclarePassive("no-such-queue", false, false, false, false, nil)
			return err
		}},
		{"bind", newapi.NotFound, func(ch *newapi.Channel) error {
			return ch.QueueBind("no-such-queue", "k", "amq.direct", false, nil)
		}},
		{"consume", newapi.NotFound, func(ch *newapi.Channel) error {
			_, err := ch.Consume("no-such-queue", "", false, false, false, false, nil)
			return err
		}},
		{"get", newapi.NotFound, func(ch *newapi.Channel) error {
			_, _, err := ch.Get("no-such-queue", false)
			return err
		}},
		{"redeclare", newapi.PreconditionFailed, func(ch *newapi.Channel) error {
			return ch.ExchangeDeclare("amq.direct", "fanout", true, false, false, false, nil)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ch := open(t, conn)
			var e *newapi.Error
			if err := test.call(ch); !errors.As(err, &e) || e.Code != test.code || !e.Server {
				t.Errorf("got %v, want code %d from the broker", err, test.code)
			}
			if !ch.IsClosed() {
				t.Error("the channel is open")
			}
			if err := test.call(ch); err != newapi.ErrClosed {
				t.Errorf("a call on the closed channel: %v", err)
			}
			if err := ch.Close(); err != nil {
				t.Errorf("Close of the closed channel: %v", err)
			}
		})
	}
}

func TestServerCancelsConsumerOfDeletedQueue(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	queue := declare(t, ch)
	cancels := ch.NotifyCancel(make(chan string, 1))
	deliveries, err := ch.Consume(queue, "gone", true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ch.QueueDelete(queue, false, false, false); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, "NotifyCancel", cancels); got != "gone" {
		t.Errorf("cancelled %q", got)
	}
	drained(t, "deliveries", deliveries)
}

func TestCloseEndsEverything(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	queue := declare(t, ch)
	deliveries, err := ch.Consume(queue, "", true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	chans := []<-chan *newapi.Error{
		conn.NotifyClose(make(chan *newapi.Error)), ch.NotifyClose(make(chan *newapi.Error)),
	}
	confirmations := ch.NotifyPublish(make(chan newapi.Confirmation))
	acks, nacks := ch.NotifyConfirm(make(chan uint64), make(chan uint64))
	blocked := conn.NotifyBlocked(make(chan newapi.Blocking))
	returns := ch.NotifyReturn(make(chan newapi.Return))
	flows := ch.NotifyFlow(make(chan bool))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range chans {
		if err, ok := <-c; ok {
			t.Errorf("a graceful close was notified as %v", err)
		}
	}
	drained(t, "deliveries", deliveries)
	drained(t, "confirmations", confirmations)
	drained(t, "acks", acks)
	drained(t, "nacks", nacks)
	drained(t, "blocked", blocked)
	drained(t, "returns", returns)
	drained(t, "flows", flows)
	drained(t, "a chan registered after the end", ch.NotifyReturn(make(chan newapi.Return)))
	if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{}, nil); err != newapi.ErrClosed {
		t.Errorf("publish: %v", err)
	}
	if err := conn.Close(); err != newapi.ErrClosed {
		t.Errorf("second Close: %v", err)
	}
	if _, err := conn.Channel(); err != newapi.ErrClosed {
		t.Errorf("Channel: %v", err)
	}
	if err := ch.Ack(1, false); err != newapi.ErrClosed {
		t.Errorf("Ack: %v", err)
	}
}

func TestChannelIdsAreReused(t *testing.T) {
	conn := dial(t, newapi.Config{ChannelMax: 8})
	for i := 0; i < 50; i++ {
		if err := open(t, conn).Close(); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < 8; i++ {
		open(t, conn)
	}
	if _, err := conn.Channel(); err != newapi.ErrChannelMax {
		t.Errorf("ninth channel of eight: %v", err)
	}
}

func TestDialErrors(t *testing.T) {
	url := brokertest.URL(t)
	for _, test := range []struct {
		name, url string
		step      error
		code      int
	}{
		{"wrong password", strings.Replace(url, "guest:guest@", "guest:wrong@", 1), newapi.ErrCredentials, newapi.AccessRefused},
		{"missing vhost", strings.TrimRight(url, "/") + "/no-such-vhost", newapi.ErrVhost, newapi.NotAllowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, err := newapi.Dial(test.url)
			if err == nil {
				conn.Close()
				t.Fatal("connected")
			}
			var e *newapi.Error
			if !errors.As(err, &e) || e.Code != test.code || !e.Server {
				t.Errorf("got %v, want code %d in the broker's words", err, test.code)
			}
			if !errors.Is(err, test.step) {
				t.Errorf("%v is not %v", err, test.step)
			}
		})
	}
	if _, err := newapi.Dial("http://localhost"); err == nil {
		t.Error("an http URL was accepted")
	}
	if _, err := newapi.Dial("amqp://127.0.0.1:1/?connection_timeout=200"); err == nil {
		t.Error("nothing listens there")
	}
}

// Shows 7 of the client: many publishers, small and large bodies, one channel.
func TestManyPublishersOneConfirmingChannel(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	queue := declare(t, ch)
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	goroutines, each := 64, 40
	if testing.Short() {
		each = 10
	}
	small, large := make([]byte, 32), make([]byte, 300<<10)
	rand.New(rand.NewSource(1)).Read(large)
	var wg sync.WaitGroup
	errs := make(chan error, goroutines)
	for g := 0; g < goroutines; g++ {
		wg.Add(1)
		go func(g int) {
			defer wg.Done()
			for i := 0; i < each; i++ {
				body := small
				if i%10 == g%10 {
					body = large
				}
				properties := newapi.BasicProperties{MessageId: fmt.Sprintf("%d-%d", g, i), Priority: uint8(g % 10)}
				if i%3 == 0 {
					if err := newapi.BasicPublish(ctx, ch, "", queue, properties, body); err != nil {
						errs <- err
						return
					}
					continue
				}
				d, err := newapi.BasicPublishDeferred(ctx, ch, "", queue, properties, body)
				if err == nil && i%7 == 0 {
					err = d.Result(ctx)
				}
				if err != nil {
					errs <- err
					return
				}
			}
		}(g)
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Fatal(err)
	}
	last, err := newapi.BasicPublishDeferred(ctx, ch, "", "nowhere", newapi.BasicProperties{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(goroutines*each + 1); last.DeliveryTag != want {
		t.Errorf("tag %d, want %d", last.DeliveryTag, want)
	}
	if err := last.Result(ctx); err != nil {
		t.Error(err)
	}
	consumer := open(t, conn)
	deliveries, err := consumer.Consume(queue, "", true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	next := make([]int, goroutines)
	for n := 0; n < goroutines*each; n++ {
		d := receive(t, "delivery", deliveries)
		var g, i int
		if _, err := fmt.Sscanf(d.MessageId(), "%d-%d", &g, &i); err != nil {
			t.Fatal(err)
		}
		if i != next[g] {
			t.Fatalf("goroutine %d: message %d came after %d", g, i, next[g]-1)
		}
		next[g]++
		want := small
		if i%10 == g%10 {
			want = large
		}
		if string(d.Body) != string(want) {
			t.Fatalf("message %d-%d: body differs (%d octets)", g, i, len(d.Body))
		}
	}
}

func TestMaxUnconfirmedBoundsWhatIsOutstanding(t *testing.T) {
	conn := dial(t, newapi.Config{MaxUnconfirmed: 10})
	ch := open(t, conn)
	queue := declare(t, ch)
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := 0; g < 8; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 200; i++ {
				if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{}, nil); err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	wg.Wait()
}
