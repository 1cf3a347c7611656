package wire

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// What amqp091-go puts on the wire is, octet for octet, what this package
// writes for the same arguments, and it understands the answers.

func TestAMQP091WritesTheSameMethods(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)

	is := func(got, want any, err error) error {
		if err == nil && got != want {
			return fmt.Errorf("the client understood %v, want %v", got, want)
		}
		return err
	}
	declared := amqp091.Queue{Name: "named", Messages: 3, Consumers: 2}
	tests := []struct {
		call func() error
		want Method
	}{
		{func() error { return ch.Qos(0x0102, 0x03040506, true) },
			&BasicQos{PrefetchSize: 0x03040506, PrefetchCount: 0x0102, Global: true}},
		{func() error { return ch.ExchangeDeclare("ex", "topic", true, true, false, false, oneField) },
			&ExchangeDeclare{Exchange: "ex", Type: "topic", Durable: true, AutoDelete: true, Arguments: oneField}},
		{func() error { return ch.ExchangeDeclare("ex", "fanout", false, false, true, true, nil) },
			&ExchangeDeclare{Exchange: "ex", Type: "fanout", Internal: true, NoWait: true}},
		{func() error { return ch.ExchangeDeclarePassive("ex", "topic", false, false, false, false, nil) },
			&ExchangeDeclare{Exchange: "ex", Type: "topic", Passive: true}},
		{func() error { return ch.ExchangeDelete("ex", true, false) },
			&ExchangeDelete{Exchange: "ex", IfUnused: true}},
		{func() error { return ch.ExchangeBind("to", "key", "from", false, oneField) },
			&ExchangeBind{Destination: "to", Source: "from", RoutingKey: "key", Arguments: oneField}},
		{func() error { return ch.ExchangeUnbind("to", "key", "from", true, oneField) },
			&ExchangeUnbind{Destination: "to", Source: "from", RoutingKey: "key", NoWait: true, Arguments: oneField}},
		{func() error {
			q, err := ch.QueueDeclare("", true, false, true, false, oneField)
			return is(q, declared, err)
		}, &QueueDeclare{Durable: true, Exclusive: true, Arguments: oneField}},
		{func() error {
			q, err := ch.QueueDeclarePassive("q", false, true, false, false, nil)
			return is(q, declared, err)
		}, &QueueDeclare{Queue: "q", Passive: true, AutoDelete: true}},
		{func() error { return ch.QueueBind("q", "key", "ex", true, oneField) },
			&QueueBind{Queue: "q", Exchange: "ex", RoutingKey: "key", NoWait: true, Arguments: oneField}},
		{func() error { return ch.QueueUnbind("q", "key", "ex", oneField) },
			&QueueUnbind{Queue: "q", Exchange: "ex", RoutingKey: "key", Arguments: oneField}},
		{func() error {
			n, err := ch.QueuePurge("q", false)
			return is(n, 4, err)
		}, &QueuePurge{Queue: "q"}},
		{func() error {
			n, err := ch.QueueDelete("q", false, true, false)
			return is(n, 5, err)
		}, &QueueDelete{Queue: "q", IfEmpty: true}},
		{func() error {
			_, err := ch.Consume("q", "tag", true, false, true, false, oneField)
			return err
		}, &BasicConsume{Queue: "q", ConsumerTag: "tag", NoLocal: true, NoAck: true, Arguments: oneField}},
		{func() error { return ch.Cancel("tag", false) }, &BasicCancel{ConsumerTag: "tag"}},
		{func() error {
			_, ok, err := ch.Get("empty", true)
			return is(ok, false, err)
		}, &BasicGet{Queue: "empty", NoAck: true}},
		//lint:ignore SA1019 deprecated or not, its bytes have to match
		{func() error { return ch.Recover(true) }, &BasicRecover{Requeue: true}},
		{func() error { return ch.Ack(1<<40, true) }, &BasicAck{DeliveryTag: 1 << 40, Multiple: true}},
		{func() error { return ch.Nack(2, false, true) }, &BasicNack{DeliveryTag: 2, Requeue: true}},
		{func() error { return ch.Nack(2, true, false) }, &BasicNack{DeliveryTag: 2, Multiple: true}},
		{func() error { return ch.Reject(3, true) }, &BasicReject{DeliveryTag: 3, Requeue: true}},
		{func() error { return ch.Flow(true) }, &ChannelFlow{Active: true}},
		{func() error { return ch.Tx() }, &TxSelect{}},
		{func() error { return ch.TxCommit() }, &TxCommit{}},
		{func() error { return ch.TxRollback() }, &TxRollback{}},
		{func() error { return ch.Confirm(false) }, &ConfirmSelect{}},
		{func() error { return ch.Close() }, &ChannelClose{ReplyCode: 200}},
	}
	for _, test := range tests {
		if err := test.call(); err != nil {
			t.Fatalf("%s: %v", test.want.ID(), err)
		}
		p.expect(mustAppend(AppendMethod(nil, 1, test.want)))
	}

	if err := conn.UpdateSecret("s3", "due"); err != nil {
		t.Fatal(err)
	}
	p.expect(mustAppend(AppendMethod(nil, 0, &ConnectionUpdateSecret{NewSecret: "s3", Reason: "due"})))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	p.expect(mustAppend(AppendMethod(nil, 0, &ConnectionClose{ReplyCode: 200, ReplyText: "kthxbai"})))
}

func publish(t *testing.T, ch *amqp091.Channel, mandatory, immediate bool, msg amqp091.Publishing) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	//amqpfix:ignore publish amqp091-go is the peer of this test
	if err := ch.PublishWithContext(ctx, "ex", "key", mandatory, immediate, msg); err != nil {
		t.Fatal(err)
	}
}

func TestAMQP091WritesTheSameProperties(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)

	// amqp091-go cannot send the last of all properties, cluster-id.
	all := everyProperty[:len(everyProperty)-1]
	publish(t, ch, true, false, amqp091.Publishing{
		ContentType: "text/plain", ContentEncoding: "gzip", Headers: oneField, DeliveryMode: 2, Priority: 9,
		CorrelationId: "corr", ReplyTo: "reply", Expiration: "60000", MessageId: "id",
		Timestamp: time.Unix(0x65000001, 0), Type: "kind", UserId: "guest", AppId: "app",
		Body: []byte("x"),
	})
	p.expect(mustAppend(AppendBasicPublish(nil, 1, "ex", "key", true, false)))
	p.expect(AppendContentHeader(nil, 1, 1, propertyList(all...)))
	p.expect(AppendBody(nil, 1, []byte("x"), 0))

	single := map[PropertyFlags]amqp091.Publishing{
		FlagContentType: {ContentType: "text/plain"}, FlagContentEncoding: {ContentEncoding: "gzip"},
		FlagHeaders: {Headers: oneField}, FlagDeliveryMode: {DeliveryMode: 2}, FlagPriority: {Priority: 9},
		FlagCorrelationID: {CorrelationId: "corr"}, FlagReplyTo: {ReplyTo: "reply"}, FlagExpiration: {Expiration: "60000"},
		FlagMessageID: {MessageId: "id"}, FlagTimestamp: {Timestamp: time.Unix(0x65000001, 0)}, FlagType: {Type: "kind"},
		FlagUserID: {UserId: "guest"}, FlagAppID: {AppId: "app"},
	}
	for _, property := range all {
		publish(t, ch, false, true, single[property.flag])
		p.expect(mustAppend(AppendBasicPublish(nil, 1, "ex", "key", false, true)))
		p.expect(AppendContentHeader(nil, 1, 0, propertyList(property)))
	}
}

func TestAMQP091SplitsBodiesAlike(t *testing.T) {
	const frameMax = 8192 // as the peer proposes
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	for _, size := range []int{1, frameMax - FrameOverhead, frameMax - FrameOverhead + 1, 3 * frameMax} {
		body := []byte(strings.Repeat("b", size))
		publish(t, ch, false, false, amqp091.Publishing{Body: body})
		p.expect(mustAppend(AppendBasicPublish(nil, 1, "ex", "key", false, false)))
		p.expect(AppendContentHeader(nil, 1, uint64(size), propertyList()))
		for rest := AppendBody(nil, 1, body, frameMax); len(rest) > 0; {
			_, n, err := ParseFrame(rest, frameMax)
			if err != nil || n == 0 {
				t.Fatalf("%d octets, %v", n, err)
			}
			p.expect(rest[:n])
			rest = rest[n:]
		}
	}
}

func TestAMQP091WritesTheSameFieldTags(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)
	for _, c := range ownTypes {
		c := c
		t.Run(c.name, func(t *testing.T) {
			publish(t, ch, false, false, amqp091.Publishing{Headers: Table{"h": c.value}})
			p.next() // basic.publish
			table := mustAppend(AppendTable(nil, Table{"h": c.value}))
			p.expect(AppendContentHeader(nil, 1, 0, propertyList(property{flag: FlagHeaders, encoded: string(table)})))
		})
	}
}

// Where this package writes something else than amqp091-go: an int beyond 32
// bits, which amqp091-go cuts, and types it refuses.
func TestDifferencesFromAMQP091(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)

	if beyond, ok := wideInt(math.MaxUint32).(int); ok {
		publish(t, ch, false, false, amqp091.Publishing{Headers: Table{"h": beyond}})
		p.next() // basic.publish
		cut := property{flag: FlagHeaders, encoded: "\x00\x00\x00\x07\x01hI\xff\xff\xff\xff"}
		p.expect(AppendContentHeader(nil, 1, 0, propertyList(cut)))
		if got := mustAppend(AppendFieldValue(nil, beyond)); string(got) != "l\x00\x00\x00\x00\xff\xff\xff\xff" {
			t.Errorf("ours is %q", got)
		}
	}

	for _, c := range widenedTypes {
		switch c.value.(type) {
		case int, int64: // sent, if cut
			continue
		}
		//amqpfix:ignore publish amqp091-go is the peer of this test
		err := ch.PublishWithContext(context.Background(), "ex", "key", false, false, amqp091.Publishing{Headers: Table{"h": c.value}})
		if err == nil {
			t.Errorf("%s: amqp091-go v1.16.0 does send it: compare the tags instead", c.name)
		}
	}

	_, err := AppendTable(nil, Table{"h": uint64(math.MaxUint64)})
	if !errors.Is(err, amqp091.ErrFieldType) {
		t.Errorf("%v does not wrap amqp091-go's ErrFieldType", err)
	}
}

// Everything amqp091-go writes in a table, our reader reads.
func TestDecodeWhatAMQP091Writes(t *testing.T) {
	p, conn := dialPeer(t)
	ch := p.openChannel(conn)

	sent, want := make(Table), make(Table)
	for _, c := range ownTypes {
		sent[c.name], want[c.name] = c.value, c.decoded
	}
	publish(t, ch, false, false, amqp091.Publishing{MessageId: "id", Headers: sent})
	p.next() // basic.publish
	f, _, err := ParseFrame(p.next(), 0)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ParseContentHeader(f.Payload)
	if err != nil {
		t.Fatal(err)
	}
	if got := Flags(h.Properties); got != FlagHeaders|FlagMessageID {
		t.Errorf("present: %s", got)
	}
	fields, _ := Property(h.Properties, FlagHeaders)
	if got, err := DecodeFields(fields); err != nil || !sameValue(got, want) {
		t.Errorf("decoded %#v, %v\nwant    %#v", got, err, want)
	}
	for name, value := range want {
		if got, ok, err := LookupField(fields, name); err != nil || !ok || !sameValue(got, value) {
			t.Errorf("%s: %#v, %v, %v; want %#v", name, got, ok, err, value)
		}
	}
}
