package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/amqpfix/amqpfix/newapi"
)

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

// After a handler's panic its caller may go on with the same channel and the same
// tag: what was not answered comes again, the rest does not.
func TestConsumeFuncAgainAfterAPanic(t *testing.T) {
	ch := open(t, dial(t, newapi.Config{}))
	q, err := ch.QueueDeclare("", false, false, true, false, nil) // it outlives its consumers
	if err != nil {
		t.Fatal(err)
	}
	queue := q.Name
	const n = 100
	for i := 0; i < n; i++ {
		if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{}, []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	handled := make(map[string]int)
	consume := func(panicAt string) (panicked any) {
		defer func() { panicked = recover() }()
		cancellable, cancel := context.WithCancel(ctx)
		defer cancel()
		err := ch.ConsumeFunc(cancellable, queue, "again", false, false, false, nil, func(d newapi.Delivery) {
			body := string(d.Body)
			if body == panicAt {
				panic(body)
			}
			handled[body]++
			if err := d.Ack(false); err != nil {
				t.Errorf("message %s: %v", body, err)
			}
			if len(handled) == n {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ConsumeFunc: %v", err)
		}
		return nil
	}
	for _, at := range []string{"0", "1", "50", "99"} {
		if panicked := consume(at); panicked != at {
			t.Fatalf("recovered %v, want the panic at message %s", panicked, at)
		}
	}
	consume("none")
	for body, times := range handled {
		if times != 1 {
			t.Errorf("message %s was handled %d times", body, times)
		}
	}
	if len(handled) != n || ch.IsClosed() {
		t.Errorf("%d of %d messages handled, channel closed %v", len(handled), n, ch.IsClosed())
	}
}
