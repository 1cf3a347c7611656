package main

import (
	"context"
	"errors"
	"io"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

const (
	exchange   = "orders"
	routingKey = "order.created"
)

var body = make([]byte, 32)

// publishCalls compare a whole publish call on one goroutine, from the caller's
// literal to a write that costs nothing.
var publishCalls = []comparison{
	publishCall("empty/32 B",
		func(ctx context.Context, ch *amqp.Channel) error {
			return peerPublish(ctx, ch, amqp.Publishing{Body: body})
		},
		func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey, newapi.BasicProperties{}, body)
		}),
	publishCall("full + map built once/32 B",
		func(ctx context.Context, ch *amqp.Channel) error {
			return peerPublish(ctx, ch, fullPublishing(headers))
		},
		func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey, fullProperties(headers), body)
		}),
	publishCall("full + map per message/32 B",
		func(ctx context.Context, ch *amqp.Channel) error {
			return peerPublish(ctx, ch, fullPublishing(newHeaders()))
		},
		func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey, fullProperties(newHeaders()), body)
		}),
	publishCall("full + typed table per message/32 B",
		func(ctx context.Context, ch *amqp.Channel) error {
			return peerPublish(ctx, ch, fullPublishing(newHeaders()))
		},
		func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey,
				newapi.WithHeaders(fullProperties(nil), traceHeaders{traceID, 3, true}), body)
		}),
}

// peerPublish is amqp091-go's publish call.
func peerPublish(ctx context.Context, ch *amqp.Channel, m amqp.Publishing) error {
	//amqpfix:ignore publish the peer is what is measured
	return ch.PublishWithContext(ctx, exchange, routingKey, false, false, m)
}

// publishCall compares two ways to publish one message.
func publishCall(name string, peer func(context.Context, *amqp.Channel) error, ours func(context.Context, *newapi.Channel) error) comparison {
	return comparison{
		name: "publish call/" + name,
		peer: func() (subject, error) { return openPublisher(openPeer, peer) },
		ours: func() (subject, error) { return openPublisher(openOurs, ours) },
	}
}

const traceID = "4bf92f3577b34da6"

func newHeaders() amqp.Table {
	return amqp.Table{"trace-id": traceID, "attempt": int32(3), "sampled": true}
}

var headers = newHeaders()

// traceHeaders are newHeaders as a type of their own.
type traceHeaders struct {
	id      string
	attempt int32
	sampled bool
}

// AppendFields implements newapi.HeaderTable.
func (h traceHeaders) AppendFields(dst []byte) ([]byte, error) {
	dst, err := newapi.AppendStringField(dst, "trace-id", h.id)
	if err != nil {
		return dst, err
	}
	if dst, err = newapi.AppendInt32Field(dst, "attempt", h.attempt); err != nil {
		return dst, err
	}
	return newapi.AppendBoolField(dst, "sampled", h.sampled)
}

var timestamp = time.Unix(1_700_000_000, 0)

// fullPublishing has every property that a service sets.
func fullPublishing(headers amqp.Table) amqp.Publishing {
	return amqp.Publishing{
		ContentType: "application/json", ContentEncoding: "utf-8", Headers: headers,
		DeliveryMode: amqp.Persistent, Priority: 4, CorrelationId: "0191-7c1e-2d8a", ReplyTo: "orders.replies",
		Expiration: "60000", MessageId: "order-4711-created", Timestamp: timestamp, Type: "order.created",
		UserId: "guest", AppId: "shop", Body: body,
	}
}

// fullProperties are fullPublishing's.
func fullProperties(headers newapi.Table) newapi.BasicProperties {
	return newapi.BasicProperties{
		ContentType: "application/json", ContentEncoding: "utf-8", Headers: headers,
		DeliveryMode: newapi.Persistent, Priority: 4, CorrelationId: "0191-7c1e-2d8a", ReplyTo: "orders.replies",
		Expiration: "60000", MessageId: "order-4711-created", Timestamp: timestamp, Type: "order.created",
		UserId: "guest", AppId: "shop",
	}
}

// publisher publishes to a script over a connection of either side.
type publisher struct {
	wire    *scriptedConn
	conn    interface{ Close() error }
	publish func(context.Context) error
}

// openPublisher opens a connection to a script, and a channel.
func openPublisher[Conn interface {
	Channel() (Channel, error)
	Close() error
}, Channel any](open func(io.ReadWriteCloser) (Conn, error), publish func(context.Context, Channel) error) (*publisher, error) {
	wire := newScriptedConn()
	conn, err := open(wire)
	if err != nil {
		return nil, err
	}
	ch, err := conn.Channel()
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	wire.Mute()
	return &publisher{wire, conn, func(ctx context.Context) error { return publish(ctx, ch) }}, nil
}

func openPeer(wire io.ReadWriteCloser) (*amqp.Connection, error) {
	return amqp.Open(wire, amqp.Config{SASL: login, Vhost: "/"})
}

func openOurs(wire io.ReadWriteCloser) (*newapi.Connection, error) {
	return newapi.Open(wire, newapi.Config{SASL: login, Vhost: "/"})
}

var login = []amqp.Authentication{&amqp.PlainAuth{Username: "guest", Password: "guest"}}

// Run implements subject.
func (p *publisher) Run(n int) error {
	ctx := context.Background()
	for i := 0; i < n; i++ {
		if err := p.publish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Sent implements subject.
func (p *publisher) Sent() int64 { return p.wire.Written() }

// Close implements subject.
func (p *publisher) Close() error {
	p.wire.Listen()
	return p.conn.Close()
}
