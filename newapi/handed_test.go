package newapi

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// When a handler panics, what it has not answered goes back to the queue, once,
// and what it has answered does not.
func TestPanicOfAHandlerRequeues(t *testing.T) {
	const arrive = 5 // before the panic; one more is under way
	for _, test := range []struct {
		name     string
		autoAck  bool
		handle   func(*testing.T, *Channel, Delivery) // of 1 to 3; it panics after 3
		answers  []wire.Method                        // that handle sends
		requeued []uint64
	}{
		{"nothing answered", false, func(*testing.T, *Channel, Delivery) {}, nil, []uint64{1, 2, 3, 4, 5, 6}},
		{"all answered", false, func(t *testing.T, _ *Channel, d Delivery) {
			if err := d.Ack(false); err != nil {
				t.Error(err)
			}
		}, []wire.Method{&wire.BasicAck{DeliveryTag: 1}, &wire.BasicAck{DeliveryTag: 2}, &wire.BasicAck{DeliveryTag: 3}}, []uint64{4, 5, 6}},
		{"the second refused on the channel", false, func(t *testing.T, ch *Channel, d Delivery) {
			if d.DeliveryTag == 2 {
				if err := ch.Nack(2, false, false); err != nil {
					t.Error(err)
				}
			}
		}, []wire.Method{&wire.BasicNack{DeliveryTag: 2}}, []uint64{1, 3, 4, 5, 6}},
		{"rejected", false, func(t *testing.T, _ *Channel, d Delivery) {
			if d.DeliveryTag == 3 {
				if err := d.Reject(false); err != nil {
					t.Error(err)
				}
			}
		}, []wire.Method{&wire.BasicReject{DeliveryTag: 3}}, []uint64{1, 2, 4, 5, 6}},
		{"two at once", false, func(t *testing.T, _ *Channel, d Delivery) {
			if d.DeliveryTag == 2 {
				if err := d.Ack(true); err != nil {
					t.Error(err)
				}
			}
		}, []wire.Method{&wire.BasicAck{DeliveryTag: 2, Multiple: true}}, []uint64{3, 4, 5, 6}},
		{"all so far at once", false, func(t *testing.T, ch *Channel, d Delivery) {
			if d.DeliveryTag == 3 {
				if err := ch.Ack(0, true); err != nil {
					t.Error(err)
				}
			}
		}, []wire.Method{&wire.BasicAck{Multiple: true}}, []uint64{4, 5, 6}},
		{"with autoAck", true, func(*testing.T, *Channel, Delivery) {}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			arrived := make(chan struct{})
			panicked := make(chan any, 1)
			go func() {
				defer func() { panicked <- recover() }()
				_ = ch.ConsumeFunc(bg, "q", "tag", test.autoAck, false, false, nil, func(d Delivery) {
					<-arrived
					test.handle(t, ch, d)
					if d.DeliveryTag == 3 {
						panic("user")
					}
				})
			}()
			method[*wire.BasicConsume](p)
			p.write(1, &wire.BasicConsumeOk{ConsumerTag: "tag"})
			for tag := uint64(1); tag <= arrive; tag++ {
				p.deliver(tag, []byte{0, 0}, make([]byte, 1000))
			}
			p.sync(conn)
			close(arrived)
			for _, want := range test.answers {
				if got := method[wire.Method](p); !reflect.DeepEqual(got, want) {
					t.Errorf("answered %+v, want %+v", got, want)
				}
			}
			if m := method[*wire.BasicCancel](p); m.ConsumerTag != "tag" || m.NoWait {
				t.Errorf("cancelled %+v", m)
			}
			p.deliver(arrive+1, []byte{0, 0}, nil) // crosses the cancellation
			p.write(1, &wire.BasicCancelOk{ConsumerTag: "tag"})
			for _, tag := range test.requeued {
				if m := method[*wire.BasicNack](p); m.DeliveryTag != tag || m.Multiple || !m.Requeue {
					t.Errorf("requeued %+v, want tag %d", m, tag)
				}
			}
			if v, _ := next(t, "the panic", panicked); v != "user" {
				t.Errorf("recovered %v", v)
			}
			if n := ch.unread.Load(); n != 0 {
				t.Errorf("%d octets still count as unread", n)
			}
			for _, tag := range test.requeued { // by a goroutine that has kept them
				if tag > 3 {
					break // it never saw these
				}
				for _, answer := range []func() error{
					func() error { return ch.Ack(tag, false) },
					func() error { return ch.Nack(tag, true, true) },
					func() error { return ch.Reject(tag, false) },
				} {
					if err := answer(); err == nil || !strings.Contains(err.Error(), fmt.Sprint("delivery ", tag)) {
						t.Errorf("a late answer to delivery %d: %v", tag, err)
					}
				}
			}
			if again := p.consume(ch); again == nil || ch.IsClosed() { // under the same tag
				t.Error("the channel cannot be used any more")
			}
		})
	}
}

// There is nobody to give anything back to, or nothing to give: the panic goes on.
func TestPanicOfAHandlerAfterTheEnd(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(*peer, *Connection)
		sent string
	}{
		{"the channel is closed", func(p *peer, conn *Connection) {
			p.write(1, &wire.ChannelClose{ReplyCode: NotFound})
			method[*wire.ChannelCloseOk](p)
			p.sync(conn)
		}, ""},
		{"the connection is lost", func(p *peer, conn *Connection) {
			p.conn.Close()
			<-conn.done
		}, ""},
		{"the consumer is cancelled", func(p *peer, conn *Connection) {
			p.write(1, &wire.BasicCancel{ConsumerTag: "tag", NoWait: true})
			p.sync(conn)
		}, "basic.nack basic.nack"},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			begun, over := make(chan struct{}, 1), make(chan struct{})
			panicked := make(chan any, 1)
			go func() {
				defer func() { panicked <- recover() }()
				_ = ch.ConsumeFunc(bg, "q", "tag", false, false, false, nil, func(Delivery) {
					begun <- struct{}{}
					<-over
					panic("user")
				})
			}()
			method[*wire.BasicConsume](p)
			p.write(1, &wire.BasicConsumeOk{ConsumerTag: "tag"})
			p.deliver(1, []byte{0, 0}, nil)
			p.deliver(2, []byte{0, 0}, nil)
			p.sync(conn)
			next(t, "the first delivery", begun)
			test.end(p, conn)
			close(over)
			if v, _ := next(t, "the panic", panicked); v != "user" {
				t.Errorf("recovered %v", v)
			}
			conn.end(nil)
			if sent := p.rest(); sent != test.sent {
				t.Errorf("sent %q, want %q", sent, test.sent)
			}
		})
	}
}

// What a ConsumeFunc that has returned was given stays the user's to answer.
func TestReturnedConsumeFuncLeavesItsDeliveries(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	cancellable, cancel := context.WithCancel(bg)
	defer cancel()
	kept := make(chan Delivery, 1)
	result := make(chan error, 1)
	go func() {
		result <- ch.ConsumeFunc(cancellable, "q", "tag", false, false, false, nil, func(d Delivery) { kept <- d })
	}()
	method[*wire.BasicConsume](p)
	p.write(1, &wire.BasicConsumeOk{ConsumerTag: "tag"})
	p.deliver(7, []byte{0, 0}, nil)
	d, _ := next(t, "delivery", kept)
	cancel()
	method[*wire.BasicCancel](p)
	p.write(1, &wire.BasicCancelOk{ConsumerTag: "tag"})
	if err, _ := next(t, "ConsumeFunc", result); err != context.Canceled {
		t.Errorf("it returned %v", err)
	}
	if n := len(ch.handed.open); n != 0 {
		t.Errorf("%d deliveries are still remembered", n)
	}
	if err := d.Ack(false); err != nil {
		t.Error(err)
	}
	if m := method[*wire.BasicAck](p); m.DeliveryTag != 7 {
		t.Errorf("acknowledged %d", m.DeliveryTag)
	}
}

// After basic.recover the broker has everything back; answering would be an error.
func TestRecoverForgetsWhatWasHandedOut(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	panicked := make(chan any, 1)
	go func() {
		defer func() { panicked <- recover() }()
		_ = ch.ConsumeFunc(bg, "q", "tag", false, false, false, nil, func(Delivery) {
			if err := ch.Recover(true); err != nil {
				t.Error(err)
			}
			panic("user")
		})
	}()
	method[*wire.BasicConsume](p)
	p.write(1, &wire.BasicConsumeOk{ConsumerTag: "tag"})
	p.deliver(1, []byte{0, 0}, nil)
	method[*wire.BasicRecover](p)
	p.write(1, &wire.BasicRecoverOk{})
	method[*wire.BasicCancel](p)
	p.write(1, &wire.BasicCancelOk{ConsumerTag: "tag"})
	if v, _ := next(t, "the panic", panicked); v != "user" {
		t.Errorf("recovered %v", v)
	}
	conn.end(nil)
	if sent := p.rest(); sent != "" {
		t.Errorf("sent %q", sent)
	}
}
