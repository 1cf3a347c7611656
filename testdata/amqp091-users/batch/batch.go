// Package batch publishes from a queue in memory.
package batch

import (
	"context"
	"errors"
	"sync"

	rabbit "github.com/rabbitmq/amqp091-go"

	"example.com/users/ports"
)

// Entry is a message and where it goes.
type Entry struct {
	Exchange, Key string
	rabbit.Publishing
}

// Batcher publishes what it is sent, in order, from one goroutine.
type Batcher struct {
	ch      ports.Publisher
	in      chan rabbit.Publishing
	stopped sync.WaitGroup

	mu   sync.Mutex
	err  error
	sent []*rabbit.DeferredConfirmation
}

// ErrRefused says that the broker did not take a message.
var ErrRefused = errors.New("batch: refused")

// New starts a Batcher that publishes to queue.
func New(ch ports.Publisher, queue string, size int) *Batcher {
	b := &Batcher{ch: ch, in: make(chan rabbit.Publishing, size)}
	b.stopped.Add(1)
	go func() {
		defer b.stopped.Done()
		for msg := range b.in {
			b.publish(queue, msg)
		}
	}()
	return b
}

func (b *Batcher) publish(queue string, msg rabbit.Publishing) {
	dc, err := b.ch.PublishWithDeferredConfirmWithContext(context.Background(), rabbit.DefaultExchange, queue, false, false, msg)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil && b.err == nil {
		b.err = err
	}
	if dc != nil {
		b.sent = append(b.sent, dc)
	}
}

// Send queues a message.
func (b *Batcher) Send() chan<- rabbit.Publishing { return b.in }

// Close publishes what is left and waits for the broker to take it.
func (b *Batcher) Close(ctx context.Context) error {
	close(b.in)
	b.stopped.Wait()
	for _, dc := range b.sent {
		acked, err := dc.WaitContext(ctx)
		if err != nil {
			return err
		}
		if !acked {
			return ErrRefused
		}
	}
	return b.err
}
