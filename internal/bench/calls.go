package main

import (
	"context"
	"errors"
	"io"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// publishCalls compare a whole publish call on one goroutine, from the caller's
// literal to a write that costs nothing.
func publishCalls() []comparison {
	var all []comparison
	for _, size := range []int{0, 32, 1024} {
		body := make([]byte, size)
		typed := func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey,
				newapi.WithHeaders(fullProperties(nil), traceHeaders{traceID, 3, true}), body)
		}
		all = append(all,
			publishCall("empty", size,
				func() amqp.Publishing { return amqp.Publishing{Body: body} },
				func() newapi.BasicProperties { return newapi.BasicProperties{} }),
			publishCall("full + map built once", size,
				func() amqp.Publishing { return fullPublishing(headers, body) },
				func() newapi.BasicProperties { return fullProperties(headers) }),
			publishCall("full + map per message", size,
				func() amqp.Publishing { return fullPublishing(newHeaders(), body) },
				func() newapi.BasicProperties { return fullProperties(newHeaders()) }),
			comparison{
				name:  callName("full + typed table per message", size),
				units: withCPU(timePerOp, allocsPerOp),
				peer:  call(openPeer, peerCall(func() amqp.Publishing { return fullPublishing(newHeaders(), body) })),
				ours:  call(openOurs, typed),
			})
	}
	return all
}

func callName(what string, size int) string {
	return "publish call/" + what + "/" + strconv.Itoa(size) + " B"
}

// publishCall compares two ways to publish one message, made anew for each call.
func publishCall(what string, size int, peer func() amqp.Publishing, ours func() newapi.BasicProperties) comparison {
	body := peer().Body
	return comparison{
		name:  callName(what, size),
		units: withCPU(timePerOp, allocsPerOp),
		peer:  call(openPeer, peerCall(peer)),
		ours: call(openOurs, func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, exchange, routingKey, ours(), body)
		}),
	}
}

func peerCall(message func() amqp.Publishing) func(context.Context, *amqp.Channel) error {
	return func(ctx context.Context, ch *amqp.Channel) error {
		//amqpfix:ignore publish the peer is what is measured
		return ch.PublishWithContext(ctx, exchange, routingKey, false, false, message())
	}
}

// caller publishes to a script over a connection of either side.
type caller struct {
	wire    *scriptedConn
	conn    io.Closer
	publish func(context.Context) error
}

// call opens a connection to a script, and a channel to publish on.
func call[Channel any](dial func(io.ReadWriteCloser) (link[Channel], error), publish func(context.Context, Channel) error) func(*lab) (subject, error) {
	return func(*lab) (subject, error) {
		wire := newScriptedConn()
		to, err := dial(wire)
		if err != nil {
			return nil, errors.Join(err, wire.Close())
		}
		wire.Mute()
		return &caller{wire, to.conn, func(ctx context.Context) error { return publish(ctx, to.channel) }}, nil
	}
}

// Run implements subject.
func (c *caller) Run(n int) error {
	ctx := context.Background()
	for i := 0; i < n; i++ {
		if err := c.publish(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Delivered implements subject.
func (c *caller) Delivered() (tally, error) { return tally{octets: uint64(c.wire.Written())}, nil }

// Close implements subject.
func (c *caller) Close() error {
	c.wire.Listen()
	return c.conn.Close()
}

var login = []amqp.Authentication{&amqp.PlainAuth{Username: "guest", Password: "guest"}}

func openPeer(wire io.ReadWriteCloser) (link[*amqp.Channel], error) {
	return open[*amqp.Connection, *amqp.Channel](amqp.Open(wire, amqp.Config{SASL: login, Vhost: "/"}))
}

func openOurs(wire io.ReadWriteCloser) (link[*newapi.Channel], error) {
	return open[*newapi.Connection, *newapi.Channel](newapi.Open(wire, newapi.Config{SASL: login, Vhost: "/"}))
}

func openCompat(wire io.ReadWriteCloser) (link[*compat.Channel], error) {
	conn, err := newapi.Open(wire, newapi.Config{SASL: login, Vhost: "/"})
	return open[*compat.Connection, *compat.Channel](compat.Wrap(conn), err)
}
