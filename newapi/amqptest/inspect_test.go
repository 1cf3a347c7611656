package amqptest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func TestInspectQueue(t *testing.T) {
	server, ch := serve(t)
	_, err := ch.QueueDeclare("durable", true, false, false, false, table{"x-max-length": int32(9)})
	must(t, err)
	_, err = ch.QueueDeclare("mine", false, true, true, false, nil)
	must(t, err)
	publish(t, ch, "", "durable", "1", "2", "3")
	_, _, err = ch.Get("durable", false)
	must(t, err)
	consume(t, ch, "mine", "", false)

	if got, want := server.QueueNames(), []string{"durable", "mine"}; !cmp.Equal(got, want) {
		t.Errorf("queues %q, want %q", got, want)
	}
	for _, want := range []amqptest.QueueState{
		{Name: "durable", Durable: true, Arguments: table{"x-max-length": int32(9)}, Ready: 2, Unacked: 1},
		{Name: "mine", Exclusive: true, AutoDelete: true, Arguments: table{}, Consumers: 1},
	} {
		got, ok := server.Queue(want.Name)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("queue (-want +got, ok %v):\n%s", ok, diff)
		}
	}
	if state, ok := server.Queue("missing"); ok {
		t.Errorf("a queue that is not there: %+v", state)
	}
}

func TestInspectExchange(t *testing.T) {
	server, ch := serve(t)
	must(t, ch.ExchangeDeclare("x", "headers", true, false, true, false, table{"alternate-exchange": "amq.fanout"}))
	declare(t, ch, "q", nil)
	must(t, ch.QueueBind("q", "k", "x", false, table{"n": int32(1)}))
	must(t, ch.ExchangeBind("amq.topic", "", "x", false, nil))

	want := []string{"", "amq.direct", "amq.fanout", "amq.headers", "amq.match", "amq.rabbitmq.trace", "amq.topic", "x"}
	if got := server.ExchangeNames(); !cmp.Equal(got, want) {
		t.Errorf("exchanges %q, want %q", got, want)
	}
	got, ok := server.Exchange("x")
	if diff := cmp.Diff(amqptest.ExchangeState{
		Name: "x", Type: "headers", Durable: true, Internal: true,
		Arguments: table{"alternate-exchange": "amq.fanout"},
		Bindings: []amqptest.Binding{
			{Queue: "q", RoutingKey: "k", Arguments: table{"n": int32(1)}},
			{Exchange: "amq.topic", Arguments: table{}},
		},
	}, got); diff != "" || !ok {
		t.Errorf("exchange (-want +got, ok %v):\n%s", ok, diff)
	}
	if _, ok := server.Exchange("missing"); ok {
		t.Error("an exchange that is not there was found")
	}
}

func TestInspectMessages(t *testing.T) {
	server, ch := serve(t)
	declare(t, ch, "q", nil)
	if got := server.Messages("q"); got == nil || len(got) != 0 {
		t.Errorf("an empty queue has %v", got)
	}
	publishMessage(t, ch, "amq.direct", "unrouted", amqp091.Publishing{})
	publishMessage(t, ch, "", "q", amqp091.Publishing{Type: "first", Body: []byte("1")})
	publishMessage(t, ch, "", "q", amqp091.Publishing{Type: "second", Body: []byte("2")})
	d, _, err := ch.Get("q", false)
	must(t, err)
	must(t, d.Reject(true))
	settled(t, ch)

	messages := server.Messages("q")
	if len(messages) != 2 {
		t.Fatalf("%d messages, want 2", len(messages))
	}
	first, second := messages[0], messages[1]
	if first.Properties.Type() != "first" || string(first.Body) != "1" || !first.Redelivered || first.RoutingKey != "q" || first.Exchange != "" {
		t.Errorf("first message %+v", first)
	}
	if second.Properties.Type() != "second" || second.Redelivered {
		t.Errorf("second message %+v", second)
	}
	if got := server.Messages("missing"); got != nil {
		t.Errorf("a queue that is not there has %v", got)
	}
}
