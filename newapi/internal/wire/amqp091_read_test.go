package wire

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// What this package writes, amqp091-go reads.

func consume(t *testing.T, p *peer, ch *amqp091.Channel) <-chan amqp091.Delivery {
	t.Helper()
	deliveries, err := ch.Consume("q", "tag", false, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.next() // basic.consume
	return deliveries
}

func TestAMQP091ReadsDeliveries(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	deliveries := consume(t, p, ch)

	body := strings.Repeat("body", 100) // several frames
	for _, test := range []struct {
		properties []byte
		body       string
		want       amqp091.Delivery
	}{
		{propertyList(everyProperty...), body, amqp091.Delivery{
			ContentType: "text/plain", ContentEncoding: "gzip", Headers: oneField, DeliveryMode: 2, Priority: 9,
			CorrelationId: "corr", ReplyTo: "reply", Expiration: "60000", MessageId: "id",
			Timestamp: time.Unix(0x65000001, 0), Type: "kind", UserId: "guest", AppId: "app",
			Body: []byte(body),
		}},
		{propertyList(), "", amqp091.Delivery{Body: []byte{}}},
		{nil, "x", amqp091.Delivery{Body: []byte("x")}},
	} {
		deliver := &BasicDeliver{ConsumerTag: "tag", DeliveryTag: 1 << 40, Redelivered: true, Exchange: "ex", RoutingKey: "key"}
		p.sendContent(1, deliver, test.properties, test.body)
		got := receive(t, deliveries)
		got.Acknowledger = nil
		test.want.ConsumerTag, test.want.DeliveryTag, test.want.Redelivered = "tag", 1<<40, true
		test.want.Exchange, test.want.RoutingKey = "ex", "key"
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("amqp091-go read\n     %+v\nwant %+v", got, test.want)
		}
	}
}

// Both readers give the same Go values for the same bytes.
func TestAMQP091ReadsFieldsAlike(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	deliveries := consume(t, p, ch)
	for _, c := range append(ownTypes[:len(ownTypes):len(ownTypes)], widenedTypes...) {
		c := c
		t.Run(c.name, func(t *testing.T) {
			table := mustAppend(AppendTable(nil, Table{"h": c.value}))
			headers := property{flag: FlagHeaders, encoded: string(table)}
			p.sendContent(1, &BasicDeliver{ConsumerTag: "tag"}, propertyList(headers), "")
			theirs := receive(t, deliveries).Headers
			ours, err := DecodeFields(table[4:])
			if err != nil {
				t.Fatal(err)
			}
			if !sameValue(theirs, ours) {
				t.Errorf("amqp091-go read %#v, DecodeFields %#v", theirs, ours)
			}
		})
	}
}

func TestAMQP091ReadsGetOk(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	p.sendContent(1, &BasicGetOk{DeliveryTag: 7, Redelivered: true, Exchange: "ex", RoutingKey: "key", MessageCount: 9},
		propertyList(everyProperty[8]), "body")
	got, ok, err := ch.Get("q", false)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got.Acknowledger = nil
	want := amqp091.Delivery{DeliveryTag: 7, Redelivered: true, Exchange: "ex", RoutingKey: "key", MessageCount: 9,
		MessageId: "id", Body: []byte("body")}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("amqp091-go read\n     %+v\nwant %+v", got, want)
	}
}

func TestAMQP091ReadsReturnsAndConfirms(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	returns := ch.NotifyReturn(make(chan amqp091.Return, 1))
	confirms := ch.NotifyPublish(make(chan amqp091.Confirmation, 3))
	for i := 0; i < 3; i++ {
		//amqpfix:ignore publish amqp091-go is the peer of this test
		if err := ch.PublishWithContext(context.Background(), "ex", "key", true, false, amqp091.Publishing{}); err != nil {
			t.Fatal(err)
		}
	}

	p.sendContent(1, &BasicReturn{ReplyCode: 312, ReplyText: "NO_ROUTE", Exchange: "ex", RoutingKey: "key"},
		propertyList(everyProperty[8]), "body")
	want := amqp091.Return{ReplyCode: 312, ReplyText: "NO_ROUTE", Exchange: "ex", RoutingKey: "key", MessageId: "id", Body: []byte("body")}
	if got := receive(t, returns); !reflect.DeepEqual(got, want) {
		t.Errorf("amqp091-go read\n     %+v\nwant %+v", got, want)
	}

	p.sendBytes(AppendBasicAck(nil, 1, 2, true))
	p.sendBytes(AppendBasicNack(nil, 1, 3, false, false))
	for tag, ack := range []bool{true, true, false} {
		want := amqp091.Confirmation{DeliveryTag: uint64(tag + 1), Ack: ack}
		if got := receive(t, confirms); got != want {
			t.Errorf("amqp091-go read %+v, want %+v", got, want)
		}
	}
}

func TestAMQP091ReadsNotices(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	consume(t, p, ch)
	blocked := conn.NotifyBlocked(make(chan amqp091.Blocking, 2))
	cancelled := ch.NotifyCancel(make(chan string, 1))
	flows := ch.NotifyFlow(make(chan bool, 1))
	channelClosed := ch.NotifyClose(make(chan *amqp091.Error, 1))
	connectionClosed := conn.NotifyClose(make(chan *amqp091.Error, 1))

	p.send(0, &ConnectionBlocked{Reason: "memory"})
	p.send(0, &ConnectionUnblocked{})
	for _, want := range []amqp091.Blocking{{Active: true, Reason: "memory"}, {}} {
		if got := receive(t, blocked); got != want {
			t.Errorf("blocked: %+v, want %+v", got, want)
		}
	}
	p.sendBytes(AppendHeartbeat(nil))
	p.send(1, &BasicCancel{ConsumerTag: "tag", NoWait: true})
	if got := receive(t, cancelled); got != "tag" {
		t.Errorf("cancelled %q, want tag", got)
	}
	p.send(1, &ChannelFlow{Active: true})
	if got := receive(t, flows); !got {
		t.Errorf("flow %v, want true", got)
	}
	p.expect(mustAppend(AppendMethod(nil, 1, &ChannelFlowOk{Active: true})))

	p.send(1, &ChannelClose{ReplyCode: 404, ReplyText: "NOT_FOUND", ClassID: 60, MethodID: 40})
	if got := receive(t, channelClosed); got.Code != 404 || got.Reason != "NOT_FOUND" {
		t.Errorf("channel closed with %+v", got)
	}
	p.expect(mustAppend(AppendMethod(nil, 1, &ChannelCloseOk{})))

	p.send(0, &ConnectionClose{ReplyCode: 320, ReplyText: "CONNECTION_FORCED"})
	if got := receive(t, connectionClosed); got.Code != 320 || got.Reason != "CONNECTION_FORCED" {
		t.Errorf("connection closed with %+v", got)
	}
	p.expect(mustAppend(AppendMethod(nil, 0, &ConnectionCloseOk{})))
}
