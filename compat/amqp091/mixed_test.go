package amqp091_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// A program in the middle of its move: 64 goroutines publish on one channel in
// confirm mode, half of them by the old methods, half by newapi's functions, and
// of each half every other one wants the confirmation.
func TestOldAndNewCallSitesOnOneChannel(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		const goroutines, each = 64, 40
		const total = goroutines * each
		ch := confirming(t, open(t, url))
		queue := declare(t, ch)
		confirms := ch.NotifyPublish(make(chan amqp.Confirmation, 8))
		returns := ch.NotifyReturn(make(chan amqp.Return, total))
		ctx := context.Background()

		type published struct {
			id           string
			confirmation *newapi.DeferredConfirmation
		}
		deferred := make(chan published, total)
		publishOne := func(goroutine int, id string) error {
			old := amqp.Publishing{MessageId: id, Body: []byte(id)}
			props := newapi.BasicProperties{MessageId: id}
			var dc *newapi.DeferredConfirmation
			var err error
			switch goroutine % 4 {
			case 0:
				return ch.PublishWithContext(ctx, "", queue, false, false, old)
			case 1:
				return newapi.BasicPublish(ctx, ch, "", queue, props, old.Body)
			case 2:
				dc, err = ch.PublishWithDeferredConfirmWithContext(ctx, "", queue, true, false, old)
			case 3:
				dc, err = newapi.BasicPublishDeferred(ctx, ch, "", queue, props, old.Body, newapi.Mandatory)
			}
			if err == nil {
				deferred <- published{id, dc}
			}
			return err
		}

		var wg sync.WaitGroup
		for g := 0; g < goroutines; g++ {
			g := g
			wg.Add(1)
			go func() {
				defer wg.Done()
				last := uint64(0)
				for i := 0; i < each; i++ {
					next := ch.GetNextPublishSeqNo()
					if next <= last {
						t.Errorf("the next sequence number went from %d to %d", last, next)
					}
					last = next
					if err := publishOne(g, fmt.Sprintf("%d/%d", g, i)); err != nil {
						t.Errorf("goroutine %d, publish %d: %v", g, i, err)
					}
				}
			}()
		}

		for want := uint64(1); want <= total; want++ {
			if c, ok := receive(t, confirms); !ok || c.DeliveryTag != want || !c.Ack {
				t.Fatalf("confirmation %+v (%v), want an ack of %d", c, ok, want)
			}
		}
		wg.Wait()
		if next := ch.GetNextPublishSeqNo(); next != total+1 {
			t.Errorf("the next sequence number is %d, want %d", next, total+1)
		}

		// The tag of a confirmation is the place of its message on the wire.
		close(deferred)
		byTag := make(map[uint64]string)
		for p := range deferred {
			if !p.confirmation.Wait() || p.confirmation.Result(ctx) != nil {
				t.Errorf("%s: %v", p.id, p.confirmation.Result(ctx))
			}
			if other, taken := byTag[p.confirmation.DeliveryTag]; taken {
				t.Errorf("%s and %s both have tag %d", other, p.id, p.confirmation.DeliveryTag)
			}
			byTag[p.confirmation.DeliveryTag] = p.id
		}
		if len(byTag) != total/2 {
			t.Errorf("%d deferred confirmations, want %d", len(byTag), total/2)
		}
		seen := make(map[string]bool)
		deliveries := consume(t, ch, queue, "")
		for tag := uint64(1); tag <= total; tag++ {
			d, ok := receive(t, deliveries)
			if !ok || d.MessageId != string(d.Body) || seen[d.MessageId] {
				t.Fatalf("message %d: id %q, body %q, seen before %v", tag, d.MessageId, d.Body, seen[d.MessageId])
			}
			seen[d.MessageId] = true
			if id, ok := byTag[tag]; ok && id != d.MessageId {
				t.Errorf("message %d is %s, but the confirmation of %s has that tag", tag, d.MessageId, id)
			}
		}
		select {
		case r := <-returns:
			t.Errorf("returned: %q", r.Body)
		default:
		}
	})
}
