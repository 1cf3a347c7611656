package amqptest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// serveNewAPI starts a server and returns it with a channel of package newapi
// in confirm mode.
func serveNewAPI(t *testing.T) (context.Context, *amqptest.Server, *newapi.Channel) {
	t.Helper()
	server := amqptest.NewServer(t)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	conn, err := newapi.Dial(server.URL())
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	ch, err := conn.Channel()
	must(t, err)
	must(t, ch.Confirm(false))
	return ctx, server, ch
}

func TestNewAPIPublishesAndReceives(t *testing.T) {
	ctx, server, ch := serveNewAPI(t)
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	must(t, err)
	must(t, ch.QueueBind(q.Name, "order.#", "amq.topic", false, nil))
	deliveries, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	must(t, err)

	sent := newapi.BasicProperties{
		ContentType: "text/plain", Headers: newapi.Table{"n": 7}, Priority: 0, SendZero: newapi.PropertyPriority,
		CorrelationId: "c", Timestamp: time.Unix(1714640400, 0),
	}
	dc, err := newapi.BasicPublishDeferred(ctx, ch, "amq.topic", "order.placed", sent, []byte("lamp"), newapi.Mandatory)
	must(t, err)
	must(t, dc.Result(ctx))

	d := receive(t, deliveries)
	recorded := waitPublished(t, server, 1)[0]
	if d.ReadOnlyBasicProperties != recorded.Properties {
		t.Errorf("received %v, recorded %v", d.ReadOnlyBasicProperties, recorded.Properties)
	}
	if string(d.Body) != "lamp" || d.RoutingKey != "order.placed" || !recorded.Mandatory || !d.Present().Has(newapi.PropertyPriority) {
		t.Errorf("received %+v", d)
	}

	// Forwarding a delivery changes no octet.
	must(t, newapi.BasicPublish(ctx, ch, "", q.Name, d.ReadOnlyBasicProperties, d.Body))
	if p := waitPublished(t, server, 2)[1]; p.Properties != d.ReadOnlyBasicProperties {
		t.Errorf("forwarded %v", p.Properties)
	}
	must(t, d.Ack(false))
	again := receive(t, deliveries)
	must(t, again.Reject(true))
	if d := receive(t, deliveries); !d.Redelivered {
		t.Error("a requeued message came back unmarked")
	}
}

func TestNewAPIHearsWhatBecameOfAPublish(t *testing.T) {
	publish := func(ctx context.Context, ch *newapi.Channel, exchange string, flags ...newapi.PublishFlag) error {
		dc, err := newapi.BasicPublishDeferred(ctx, ch, exchange, "nowhere", newapi.BasicProperties{}, nil, flags...)
		if err != nil {
			return fmt.Errorf("publish: %w", err)
		}
		return dc.Result(ctx)
	}
	t.Run("refused", func(t *testing.T) {
		ctx, server, ch := serveNewAPI(t)
		server.NackNext(1)
		if err := publish(ctx, ch, ""); !errors.Is(err, newapi.ErrNacked) {
			t.Errorf("%v, want ErrNacked", err)
		}
	})
	t.Run("returned", func(t *testing.T) {
		ctx, _, ch := serveNewAPI(t)
		var returned *newapi.ReturnedError
		if err := publish(ctx, ch, "", newapi.Mandatory); !errors.As(err, &returned) || returned.Return.ReplyCode != newapi.NoRoute {
			t.Errorf("%v, want a ReturnedError", err)
		}
	})
	t.Run("channel closed", func(t *testing.T) {
		ctx, _, ch := serveNewAPI(t)
		err := publish(ctx, ch, "missing")
		var reason *newapi.Error
		if !errors.Is(err, newapi.ErrLost) || !errors.As(err, &reason) || reason.Code != newapi.NotFound {
			t.Errorf("%v, want ErrLost with the 404", err)
		}
	})
	t.Run("connection lost", func(t *testing.T) {
		ctx, server, ch := serveNewAPI(t)
		server.HoldConfirms()
		dc, err := newapi.BasicPublishDeferred(ctx, ch, "", "nowhere", newapi.BasicProperties{}, nil)
		must(t, err)
		waitPublished(t, server, 1)
		server.DropConnections()
		if err := dc.Result(ctx); !errors.Is(err, newapi.ErrLost) {
			t.Errorf("%v, want ErrLost", err)
		}
	})
}

func TestNewAPIWaitsWhileBlocked(t *testing.T) {
	server := amqptest.NewServer(t)
	conn, err := newapi.Dial(server.URL())
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	blocked := conn.NotifyBlocked(make(chan newapi.Blocking, 2))
	ch, err := conn.Channel()
	must(t, err)
	server.Block("low on memory")
	if b := receive(t, blocked); !b.Active || b.Reason != "low on memory" {
		t.Errorf("notified of %+v", b)
	}
	published := make(chan error)
	go func() {
		published <- newapi.BasicPublish(context.Background(), ch, "", "q", newapi.BasicProperties{}, []byte("m"))
	}()
	select {
	case err := <-published:
		t.Errorf("published while blocked: %v", err)
	case <-time.After(30 * time.Millisecond):
	}
	server.Unblock()
	must(t, receive(t, published))
	waitPublished(t, server, 1)
}

// TestNewAPIAndAmqp091PublishTheSame is the proof that migration rests on, in
// small: both clients send the same message, and Diff sees no difference.
func TestNewAPIAndAmqp091PublishTheSame(t *testing.T) {
	ctx, server, ch := serveNewAPI(t)
	before, old := serve(t)
	headers := table{"int": 7, "text": strings.Repeat("x", 300), "list": []any{int64(1), table{"deep": true}}}
	at := time.Unix(1714640400, 0)
	for i := 0; i < 3; i++ {
		must(t, newapi.BasicPublish(ctx, ch, "amq.topic", "k", newapi.BasicProperties{
			Headers: headers, DeliveryMode: newapi.Persistent, Priority: uint8(i), Timestamp: at, AppId: "shop",
		}, []byte(fmt.Sprint(i)), newapi.Mandatory))
	}
	for i := 0; i < 3; i++ {
		//amqpfix:ignore publish amqp091-go is the peer of this test
		must(t, old.PublishWithContext(ctx, "amq.topic", "k", true, false, amqp091.Publishing{
			Headers: headers, DeliveryMode: amqp091.Persistent, Priority: uint8(i), Timestamp: at, AppId: "shop", Body: []byte(fmt.Sprint(i)),
		}))
	}
	if diffs := amqptest.Diff(waitPublished(t, before, 3), waitPublished(t, server, 3)); len(diffs) > 0 {
		t.Errorf("the recordings differ: %v", diffs)
	}
}
