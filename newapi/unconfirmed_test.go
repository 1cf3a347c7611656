package newapi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// inLine waits until n publishes wait for a place among the unconfirmed, and
// reports how many messages are outstanding and how many tags are kept then.
func inLine(t *testing.T, c *confirms, n int) (unsettled, kept int) {
	t.Helper()
	within(t, fmt.Sprintf("a line of %d", n), func() {
		for waiting := -1; waiting != n; runtime.Gosched() {
			c.mu.Lock()
			waiting, unsettled, kept = len(c.queue), c.unsettled, len(c.ring)
			c.mu.Unlock()
		}
	})
	return unsettled, kept
}

// A broker that settles everything but the oldest message does not make the
// channel's memory grow without bound.
func TestUnconfirmedSpanIsBounded(t *testing.T) {
	const span = 128
	for _, limit := range []int{0, 2, 1000} {
		t.Run(fmt.Sprintf("MaxUnconfirmed=%d", limit), func(t *testing.T) {
			conn, p := newPeer(t, Config{MaxUnconfirmed: limit})
			ch := p.confirming(conn)
			ch.confirms.span = span
			publish := func(ctx context.Context) error {
				return BasicPublish(ctx, ch, "", "k", BasicProperties{}, nil)
			}
			for tag := uint64(1); tag <= span; tag++ {
				if err := publish(bg); err != nil {
					t.Fatal(err)
				}
				p.message()
				if tag > 1 {
					p.write(1, &wire.BasicAck{DeliveryTag: tag})
					p.sync(conn)
				}
			}
			results := make(chan error, 2)
			ctx, cancel := context.WithCancel(bg)
			defer cancel()
			go func() { results <- publish(bg) }()
			inLine(t, &ch.confirms, 1)
			go func() { results <- publish(ctx) }()
			if _, kept := inLine(t, &ch.confirms, 2); kept > span {
				t.Errorf("%d tags are kept, the bound is %d", kept, span)
			}
			cancel()
			if err, _ := next(t, "a publish beyond the span", results); !errors.Is(err, context.Canceled) {
				t.Errorf("a publish beyond the span: %v", err)
			}
			p.write(1, &wire.BasicAck{DeliveryTag: 1})
			if err, _ := next(t, "the waiting publish", results); err != nil {
				t.Error(err)
			}
			p.message()
			for tag := uint64(span + 2); tag < 3*span; tag++ { // the channel is as before
				p.write(1, &wire.BasicAck{DeliveryTag: tag - 1})
				p.sync(conn)
				if err := publish(bg); err != nil {
					t.Fatal(err)
				}
				p.message()
			}
		})
	}
}

func TestConfirmsLetGoOfALargeRing(t *testing.T) {
	c := confirms{span: confirmSpan}
	for i := 0; i < 3*retainedRing; i++ {
		c.publish(&EncodedMessage{})
	}
	c.confirm(0, true, true)
	if len(c.ring) > retainedRing {
		t.Errorf("%d entries are kept with nothing outstanding", len(c.ring))
	}
	d := c.publish(&EncodedMessage{Deferred: true})
	if c.confirm(d.DeliveryTag, false, true); !d.Acked() {
		t.Error("a confirm after that is lost")
	}
}

// Publishes that are in line when confirm mode begins count as unconfirmed too.
func TestPublishesInLineWhenConfirmIsCalled(t *testing.T) {
	const limit, publishes = 2, 5
	for _, test := range []struct {
		name   string
		config Config
		body   int
	}{
		{"plain", Config{}, 1},
		{"buffered", Config{Buffered: true}, 1},
		{"large bodies", Config{}, largeBody},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.config.MaxUnconfirmed = limit
			conn, p := newPeer(t, test.config)
			ch := p.channel(conn)
			blocked := conn.NotifyBlocked(make(chan Blocking, 1))
			p.write(0, &wire.ConnectionBlocked{})
			next(t, "NotifyBlocked", blocked)
			results := make(chan error, publishes)
			for i := 0; i < publishes; i++ {
				go func() { results <- BasicPublish(bg, ch, "", "k", BasicProperties{}, make([]byte, test.body)) }()
			}
			within(t, "a line of publishes", func() {
				for n := 0; n < publishes; runtime.Gosched() {
					conn.writer.mu.Lock()
					n = 0
					for _, q := range []*waitQueue{&conn.writer.plain, &conn.writer.admit} {
						for wt := q.first; wt != nil; wt = wt.next {
							n++
						}
					}
					conn.writer.mu.Unlock()
				}
			})
			if err := ch.Confirm(true); err != nil {
				t.Fatal(err)
			}
			method[*wire.ConfirmSelect](p)
			p.write(0, &wire.ConnectionUnblocked{})
			for tag := uint64(1); tag <= publishes; tag++ {
				p.message()
				if waiting := publishes - limit - int(tag) + 1; waiting >= 0 {
					if unsettled, _ := inLine(t, &ch.confirms, waiting); unsettled > limit {
						t.Errorf("%d messages are outstanding, the limit is %d", unsettled, limit)
					}
				}
				p.write(1, &wire.BasicAck{DeliveryTag: tag})
			}
			for i := 0; i < publishes; i++ {
				if err, _ := next(t, "publish", results); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
