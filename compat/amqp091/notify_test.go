package amqp091_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	upstream "github.com/rabbitmq/amqp091-go"

	"github.com/google/go-cmp/cmp"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func TestReturnsAreUpstreams(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch, old := open(t, url), openUpstream(t, url, upstream.Config{})
		ours := ch.NotifyReturn(make(chan amqp.Return, 1))
		theirs := old.NotifyReturn(make(chan upstream.Return, 1))
		for name, msg := range messages() {
			t.Run(name, func(t *testing.T) {
				if err := ch.Publish("", "nowhere", true, false, msg); err != nil {
					t.Fatal(err)
				}
				if err := old.Publish("", "nowhere", true, false, msg); err != nil {
					t.Fatal(err)
				}
				got, _ := receive(t, ours)
				want, _ := receive(t, theirs)
				if diff := cmp.Diff(want, got, asUpstream); diff != "" {
					t.Errorf("amqp091-go's (-) and ours (+) differ:\n%s", diff)
				}
			})
		}
	})
}

// Programs wait for the confirmation and then look whether the message came back.
func TestReturnIsThereBeforeItsConfirmation(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		const count = 300
		ch := confirming(t, open(t, url))
		returns := ch.NotifyReturn(make(chan amqp.Return, 1))
		confirms := ch.NotifyPublish(make(chan amqp.Confirmation, 1))
		for i := 0; i < count; i++ {
			dc, err := ch.PublishWithDeferredConfirm("", "nowhere", true, false, amqp.Publishing{Body: []byte(fmt.Sprint(i))})
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 {
				if !dc.Wait() {
					t.Fatalf("publish %d is not acknowledged", i)
				}
			} else if c, ok := receive(t, confirms); !ok || !c.Ack {
				t.Fatalf("publish %d: confirmation %v", i, c)
			}
			select {
			case r := <-returns:
				if string(r.Body) != fmt.Sprint(i) {
					t.Fatalf("publish %d: returned %q", i, r.Body)
				}
			default:
				t.Fatalf("publish %d: confirmed, and not yet returned", i)
			}
			if i%2 == 0 {
				receive(t, confirms)
			}
		}
	})
}

func TestListenersAreClosedWithTheChannel(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		conn := dial(t, url, amqp.Config{})
		ch := confirming(t, channel(t, conn))
		closes := ch.NotifyClose(make(chan *amqp.Error, 1))
		flows := ch.NotifyFlow(make(chan bool))
		returns := ch.NotifyReturn(make(chan amqp.Return))
		cancels := ch.NotifyCancel(make(chan string))
		confirms := ch.NotifyPublish(make(chan amqp.Confirmation))
		acks, nacks := ch.NotifyConfirm(make(chan uint64), make(chan uint64))
		both, same := ch.NotifyConfirm(nacksAndAcks())
		recovery := ch.NotifyRecoveryCancel(make(chan struct{}))
		if err := ch.Close(); err != nil {
			t.Fatal(err)
		}
		wantClosed(t, closes)
		wantClosed(t, flows)
		wantClosed(t, returns)
		wantClosed(t, cancels)
		wantClosed(t, confirms)
		wantClosed(t, acks)
		wantClosed(t, nacks)
		wantClosed(t, both)
		wantClosed(t, recovery)
		if both != same {
			t.Error("one chan for both became two")
		}
		// Registered later, they are closed at once.
		wantClosed(t, ch.NotifyClose(make(chan *amqp.Error)))
		wantClosed(t, ch.NotifyReturn(make(chan amqp.Return)))
		wantClosed(t, ch.NotifyPublish(make(chan amqp.Confirmation)))
		wantClosed(t, ch.NotifyRecoveryCancel(make(chan struct{})))
		if err := ch.Close(); err != nil {
			t.Errorf("closing a closed channel: %v", err)
		}
	})
}

func nacksAndAcks() (ack, nack chan uint64) {
	c := make(chan uint64)
	return c, c
}

func TestConfirmationsByAckAndNack(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := confirming(t, open(t, server.URL()))
	acks, nacks := ch.NotifyConfirm(make(chan uint64, 4), make(chan uint64, 4))
	server.NackNext(1)
	refused, err := ch.PublishWithDeferredConfirm("", "nowhere", false, false, amqp.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	if refused.Wait() || refused.Acked() {
		t.Error("a nack counts as an ack")
	}
	publish(t, ch, "nowhere", "")
	if tag, _ := receive(t, nacks); tag != 1 {
		t.Errorf("nack of %d", tag)
	}
	if tag, _ := receive(t, acks); tag != 2 {
		t.Errorf("ack of %d", tag)
	}
}

// amqp091-go waits for an answer that noWait has told the broker not to send.
func TestConfirmWithoutWaiting(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		conn, err := upstream.Dial(url)
		if err != nil {
			t.Fatal(err)
		}
		old, err := conn.Channel()
		if err != nil {
			t.Fatal(err)
		}
		waits := make(chan error, 1)
		go func() { waits <- old.Confirm(true) }()
		ch := open(t, url)
		if err := ch.Confirm(true); err != nil {
			t.Fatal(err)
		}
		dc, err := ch.PublishWithDeferredConfirm("", declare(t, ch), false, false, amqp.Publishing{})
		if err != nil {
			t.Fatal(err)
		}
		if dc.DeliveryTag != 1 || !dc.Wait() {
			t.Errorf("publish %d is not acknowledged", dc.DeliveryTag)
		}
		if err := conn.Close(); err != nil { // ends the wait
			t.Error(err)
		}
		if err, _ := receive(t, waits); err == nil {
			t.Error("amqp091-go's Confirm returns: say so in MIGRATION.md")
		}
	})
}

// A context that ends leaves the confirmation outstanding.
func TestWaitContext(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := confirming(t, open(t, server.URL()))
	server.HoldConfirms()
	dc, err := ch.PublishWithDeferredConfirm("", "nowhere", false, false, amqp.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if acked, err := dc.WaitContext(ctx); acked || err != context.DeadlineExceeded || dc.Acked() {
		t.Errorf("held back: %v, %v", acked, err)
	}
	server.ReleaseConfirms()
	if acked, err := dc.WaitContext(context.Background()); !acked || err != nil {
		t.Errorf("released: %v, %v", acked, err)
	}
}

func TestConfirmationsEndWithTheChannel(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := confirming(t, open(t, server.URL()))
	server.HoldConfirms()
	dc, err := ch.PublishWithDeferredConfirm("", "nowhere", false, false, amqp.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ch.Close(); err != nil {
		t.Fatal(err)
	}
	if dc.Wait() {
		t.Error("acknowledged by a channel that was closed first")
	}
}

func TestConsumerCancelledByTheBroker(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		cancels := ch.NotifyCancel(make(chan string, 1))
		deliveries := consume(t, ch, queue, "tag")
		if _, err := ch.QueueDelete(queue, false, false, false); err != nil {
			t.Fatal(err)
		}
		if tag, _ := receive(t, cancels); tag != "tag" {
			t.Errorf("cancelled %q", tag)
		}
		wantClosed(t, deliveries)
	})
}

func TestChannelExceptionReachesEverybody(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := confirming(t, open(t, url))
		closes := ch.NotifyClose(make(chan *amqp.Error, 1))
		states := make(chan *amqp.StateChanged, 2)
		ch.NotifyStateChange(states)
		dc, err := ch.PublishWithDeferredConfirm("no such exchange", "", false, false, amqp.Publishing{})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := receive(t, closes)
		if !ok || e.Code != amqp.NotFound || !e.Server || !e.Recoverable() {
			t.Fatalf("closed with %#v", e)
		}
		wantClosed(t, closes)
		if dc.Wait() {
			t.Error("acknowledged")
		}
		change, _ := receive(t, states)
		if change.From != amqp.StateOpen || change.To != amqp.StateClosed || !is(change.Err, e) {
			t.Errorf("state change %v", change)
		}
		wantClosed(t, states)
		if !ch.IsClosed() {
			t.Error("not closed")
		}
		if _, err := ch.QueueDeclare("", false, false, true, false, nil); err != amqp.ErrClosed {
			t.Errorf("declaring after it: %v", err)
		}
	})
}

func TestTransactions(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		if err := ch.Tx(); err != nil {
			t.Fatal(err)
		}
		publish(t, ch, queue, "dropped")
		if err := ch.TxRollback(); err != nil {
			t.Fatal(err)
		}
		publish(t, ch, queue, "kept")
		if err := ch.TxCommit(); err != nil {
			t.Fatal(err)
		}
		if d := get(t, ch, queue); string(d.Body) != "kept" {
			t.Errorf("got %q", d.Body)
		}
	})
}

// amqp091-go holds the connection up for five seconds a notice.
func TestUnreadListenersHoldUpNothing(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := confirming(t, open(t, url))
		returns := ch.NotifyReturn(make(chan amqp.Return))
		confirms := ch.NotifyPublish(make(chan amqp.Confirmation))
		start := time.Now()
		for i := 0; i < 50; i++ {
			dc, err := newapi.BasicPublishDeferred(context.Background(), ch, "", "nowhere", newapi.BasicProperties{}, nil, newapi.Mandatory)
			if err != nil {
				t.Fatal(err)
			}
			if !dc.Wait() {
				t.Fatal("not acknowledged")
			}
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("50 publishes took %v", took)
		}
		if err := ch.Close(); err != nil {
			t.Error(err)
		}
		for range returns {
		}
		for range confirms {
		}
	})
}
