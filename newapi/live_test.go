package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"reflect"
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

func TestReturnedMessagesEndTheirOwnFutures(t *testing.T) {
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

func TestPublishToMissingExchange(t *testing.T) {
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

// Every exported method of Connection and Channel, once, against the broker.
func TestEveryMethod(t *testing.T) {
	conn := dial(t, newapi.Config{})
	ch := open(t, conn)
	name := fmt.Sprintf("newapi.every-method.%d", time.Now().UnixNano())
	var delivered newapi.Delivery
	get := func() error {
		for begun := time.Now(); time.Since(begun) < patience; {
			var ok bool
			var err error
			if delivered, ok, err = ch.Get(name, false); ok || err != nil {
				return err
			}
		}
		return errors.New("nothing to get")
	}
	publish := func() error {
		_, err := ch.PublishEncoded(ctx, newapi.EncodedMessage{RoutingKey: name, Header: []byte{0, 0}})
		return err
	}
	republished := func(answer func() error) func() error {
		return func() error {
			if err := errors.Join(publish(), get()); err != nil {
				return err
			}
			return answer()
		}
	}
	steps := []struct {
		method string
		call   func() error
	}{
		{"Channel.ExchangeDeclare", func() error { return ch.ExchangeDeclare(name, "topic", false, false, false, false, nil) }},
		{"Channel.ExchangeDeclare", func() error { return ch.ExchangeDeclare(name+".2", "fanout", false, true, false, true, nil) }},
		{"Channel.ExchangeDeclarePassive", func() error { return ch.ExchangeDeclarePassive(name, "topic", false, false, false, false, nil) }},
		{"Channel.ExchangeBind", func() error { return ch.ExchangeBind(name+".2", "a.#", name, false, nil) }},
		{"Channel.QueueDeclare", func() error {
			q, err := ch.QueueDeclare(name, false, false, true, false, newapi.Table{newapi.QueueMaxLenArg: 10})
			if err == nil && q.Name != name {
				return fmt.Errorf("declared %q", q.Name)
			}
			return err
		}},
		{"Channel.QueueBind", func() error { return ch.QueueBind(name, "", name+".2", false, nil) }},
		{"Channel.PublishEncoded", func() error {
			_, err := ch.PublishEncoded(ctx, newapi.EncodedMessage{Exchange: name, RoutingKey: "a.b", Header: []byte{0, 0}})
			return err
		}},
		{"Channel.Flush", func() error { return ch.Flush(ctx) }},
		{"Channel.QueueInspect", func() error {
			for begun := time.Now(); ; { // counting overtakes delivery in the broker
				q, err := ch.QueueInspect(name)
				if err != nil || q.Messages == 1 {
					return err
				}
				if time.Since(begun) > patience {
					return fmt.Errorf("%d messages", q.Messages)
				}
			}
		}},
		{"Channel.QueueDeclarePassive", func() error {
			_, err := ch.QueueDeclarePassive(name, false, false, false, false, nil)
			return err
		}},
		{"Channel.QueuePurge", func() error {
			n, err := ch.QueuePurge(name, false)
			if err == nil && n != 1 {
				return fmt.Errorf("purged %d", n)
			}
			return err
		}},
		{"Channel.Get", republished(func() error { return delivered.Ack(false) })},
		{"Channel.Ack", republished(func() error { return ch.Ack(delivered.DeliveryTag, false) })},
		{"Channel.Nack", republished(func() error { return ch.Nack(delivered.DeliveryTag, false, false) })},
		{"Channel.Reject", republished(func() error { return ch.Reject(delivered.DeliveryTag, true) })},
		{"Channel.Recover", func() error { return errors.Join(get(), ch.Recover(true)) }},
		{"Channel.QueueUnbind", func() error { return ch.QueueUnbind(name, "", name+".2", nil) }},
		{"Channel.ExchangeUnbind", func() error { return ch.ExchangeUnbind(name+".2", "a.#", name, false, nil) }},
		{"Channel.Qos", func() error { return ch.Qos(10, 0, false) }},
		{"Channel.Flow", func() error { return ch.Flow(true) }},
		{"Channel.Consume", func() error { _, err := ch.Consume(name, "1", true, false, false, false, nil); return err }},
		{"Channel.ConsumeWithContext", func() error {
			_, err := ch.ConsumeWithContext(ctx, name, "2", true, false, false, true, nil)
			return err
		}},
		{"Channel.Cancel", func() error { return errors.Join(ch.Cancel("1", false), ch.Cancel("2", true)) }},
		{"Channel.ConsumeFunc", func() error {
			cancellable, cancel := context.WithCancel(ctx)
			defer cancel()
			if err := publish(); err != nil {
				return err
			}
			err := ch.ConsumeFunc(cancellable, name, "", true, false, false, nil, func(newapi.Delivery) { cancel() })
			if !errors.Is(err, context.Canceled) {
				return fmt.Errorf("it returned %v", err)
			}
			return nil
		}},
		{"Channel.NotifyClose", func() error { ch.NotifyClose(make(chan *newapi.Error, 1)); return nil }},
		{"Channel.NotifyFlow", func() error { ch.NotifyFlow(make(chan bool, 1)); return nil }},
		{"Channel.NotifyReturn", func() error { ch.NotifyReturn(make(chan newapi.Return, 1)); return nil }},
		{"Channel.NotifyCancel", func() error { ch.NotifyCancel(make(chan string, 1)); return nil }},
		{"Channel.NotifyPublish", func() error { ch.NotifyPublish(make(chan newapi.Confirmation, 1)); return nil }},
		{"Channel.NotifyConfirm", func() error { ch.NotifyConfirm(make(chan uint64, 1), make(chan uint64, 1)); return nil }},
		{"Channel.QueueDelete", func() error { _, err := ch.QueueDelete(name, true, false, false); return err }},
		{"Channel.ExchangeDelete", func() error { return ch.ExchangeDelete(name, false, false) }},
		{"Channel.Tx", ch.Tx},
		{"Channel.TxCommit", ch.TxCommit},
		{"Channel.TxRollback", ch.TxRollback},
		{"Channel.Close", ch.Close},
		{"Channel.IsClosed", func() error {
			if !ch.IsClosed() {
				return errors.New("the channel is open")
			}
			return nil
		}},
		{"Connection.Channel", func() (err error) { ch, err = conn.Channel(); return err }},
		{"Channel.GetNextPublishSeqNo", func() error {
			if got := ch.GetNextPublishSeqNo(); got != 1 {
				return fmt.Errorf("next is %d", got)
			}
			return nil
		}},
		{"Channel.Confirm", func() error { return errors.Join(ch.Confirm(true), ch.Confirm(false)) }},
		{"Connection.UpdateSecret", func() error { return conn.UpdateSecret("guest", "test") }},
		{"Connection.LocalAddr", func() error {
			if !strings.HasPrefix(conn.LocalAddr().String(), "127.0.0.1:") {
				return fmt.Errorf("%v", conn.LocalAddr())
			}
			return nil
		}},
		{"Connection.RemoteAddr", func() error {
			if !strings.Contains(brokertest.URL(t), conn.RemoteAddr().String()) {
				return fmt.Errorf("%v", conn.RemoteAddr())
			}
			return nil
		}},
		{"Connection.ConnectionState", func() error {
			if conn.ConnectionState().Version != 0 {
				return errors.New("TLS on a plain connection")
			}
			return nil
		}},
		{"Connection.NotifyClose", func() error { conn.NotifyClose(make(chan *newapi.Error, 1)); return nil }},
		{"Connection.NotifyBlocked", func() error { conn.NotifyBlocked(make(chan newapi.Blocking, 1)); return nil }},
		{"Connection.CloseDeadline", func() error { return conn.CloseDeadline(time.Now().Add(patience)) }},
		{"Connection.IsClosed", func() error {
			if !conn.IsClosed() {
				return errors.New("the connection is open")
			}
			return nil
		}},
		{"Connection.Close", func() error {
			if err := conn.Close(); err != newapi.ErrClosed {
				return fmt.Errorf("second close: %v", err)
			}
			return nil
		}},
	}
	called := make(map[string]bool)
	for _, step := range steps {
		if err := step.call(); err != nil {
			t.Fatalf("%s: %v", step.method, err)
		}
		called[step.method] = true
	}
	for _, typ := range []reflect.Type{reflect.TypeOf(conn), reflect.TypeOf(ch)} {
		for i := 0; i < typ.NumMethod(); i++ {
			if method := typ.Elem().Name() + "." + typ.Method(i).Name; !called[method] {
				t.Errorf("%s is not called", method)
			}
		}
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

func TestZeroValuesAnswerErrClosed(t *testing.T) {
	for name, ch := range map[string]*newapi.Channel{"nil": nil, "zero": {}} {
		for call, err := range map[string]error{
			"publish": newapi.BasicPublish(ctx, ch, "", "q", newapi.BasicProperties{}, nil),
			"Ack":     ch.Ack(1, false),
			"Confirm": ch.Confirm(false),
			"Qos":     ch.Qos(1, 0, false),
			"Flush":   ch.Flush(ctx),
		} {
			if err != newapi.ErrClosed {
				t.Errorf("%s channel, %s: %v, want ErrClosed", name, call, err)
			}
		}
		if !ch.IsClosed() {
			t.Errorf("%s channel is not closed", name)
		}
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

// A process that publishes once and exits at once has sent its message.
func TestExitRightAfterPublish(t *testing.T) {
	if url := os.Getenv("NEWAPI_TEST_EXIT_AFTER_PUBLISH"); url != "" {
		conn, err := newapi.Dial(url)
		if err != nil {
			t.Fatal(err)
		}
		err = newapi.BasicPublish(ctx, open(t, conn), "", os.Getenv("NEWAPI_TEST_QUEUE"), newapi.BasicProperties{MessageId: "last words"}, []byte("x"))
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
	const runs = 5
	for i := 0; i < runs; i++ {
		cmd := exec.Command(os.Args[0], "-test.run=^TestExitRightAfterPublish$")
		cmd.Env = append(os.Environ(), "NEWAPI_TEST_EXIT_AFTER_PUBLISH="+brokertest.URL(t), "NEWAPI_TEST_QUEUE="+q.Name)
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

func TestConsumeFunc(t *testing.T) {
	conn := dial(t, newapi.Config{})
	publisher := open(t, conn)
	queue := declare(t, publisher)
	const n = 2000
	for i := 0; i < n; i++ {
		if err := newapi.BasicPublish(ctx, publisher, "", queue, newapi.BasicProperties{}, []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	ch := open(t, conn)
	if err := ch.Qos(50, 0, false); err != nil {
		t.Fatal(err)
	}
	cancellable, cancel := context.WithCancel(ctx)
	defer cancel()
	count := 0
	err := ch.ConsumeFunc(cancellable, queue, "f", false, false, false, nil, func(d newapi.Delivery) {
		if string(d.Body) != fmt.Sprint(count) || d.ConsumerTag != "f" {
			t.Errorf("delivery %d: body %q, tag %q", count, d.Body, d.ConsumerTag)
		}
		if err := d.Ack(false); err != nil {
			t.Error(err)
		}
		if count++; count == n {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || count != n {
		t.Errorf("%v after %d deliveries, want the context's error after %d", err, count, n)
	}

	for _, test := range []struct {
		name string
		end  func(*newapi.Channel) error
		want func(error) bool
	}{
		{"cancelled", func(ch *newapi.Channel) error { return ch.Cancel("g", false) }, func(err error) bool { return err == nil }},
		{"queue deleted", func(ch *newapi.Channel) error {
			_, err := publisher.QueueDelete(queue, false, false, false)
			return err
		}, func(err error) bool { return err == nil }},
		{"channel closed", (*newapi.Channel).Close, func(err error) bool { return err == nil }},
		{"channel failed", func(ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, "no-such-exchange", "", newapi.BasicProperties{}, nil)
		}, func(err error) bool {
			var e *newapi.Error
			return errors.As(err, &e) && e.Code == newapi.NotFound
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			queue = declare(t, publisher)
			ch := open(t, conn)
			result := make(chan error, 1)
			started := make(chan struct{}, 1)
			go func() {
				result <- ch.ConsumeFunc(ctx, queue, "g", true, false, false, nil, func(newapi.Delivery) { started <- struct{}{} })
			}()
			if err := newapi.BasicPublish(ctx, publisher, "", queue, newapi.BasicProperties{}, nil); err != nil {
				t.Fatal(err)
			}
			receive(t, "first delivery", started)
			if err := test.end(ch); err != nil {
				t.Fatal(err)
			}
			if err := receive(t, "ConsumeFunc", result); !test.want(err) {
				t.Errorf("it returned %v", err)
			}
		})
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
