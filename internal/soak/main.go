// Soak publishes and consumes millions of messages with confirms through a
// private RabbitMQ, or the broker that AMQP_URL names, and checks that every
// message arrives once and that memory does not grow.
//
//	go run ./internal/soak [-messages n]
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"time"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi"
)

const (
	publishers  = 8
	unconfirmed = 2000
	prefetch    = 2000
	tolerance   = 0.10 // of the heap after the first tenth of the messages
)

func main() {
	messages := flag.Int("messages", 5_000_000, "how many messages to publish")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *messages); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, messages int) error {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		node, err := brokertest.Launch(ctx, brokertest.Options{})
		if err != nil {
			return err
		}
		defer node.Close()
		url = node.URL()
	}
	publisher, err := newapi.DialConfig(url, newapi.Config{MaxUnconfirmed: unconfirmed})
	if err != nil {
		return err
	}
	defer publisher.Close()
	consumer, err := newapi.Dial(url)
	if err != nil {
		return err
	}
	defer consumer.Close()

	out, err := publisher.Channel()
	if err != nil {
		return err
	}
	if err := out.Confirm(false); err != nil {
		return err
	}
	in, err := consumer.Channel()
	if err != nil {
		return err
	}
	if err := in.Qos(prefetch, 0, false); err != nil {
		return err
	}
	queue, err := in.QueueDeclare("", false, true, true, false, nil)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// The heap is compared when nothing is under way: the publishers wait at a
	// tenth of the messages until all of it has been consumed.
	gate := pause{at: max(messages/10, 1), open: make(chan struct{})}
	var publishing sync.WaitGroup
	for p := 0; p < publishers; p++ {
		publishing.Add(1)
		go func(p int) {
			defer publishing.Done()
			if err := publish(ctx, out, queue.Name, p, messages, gate); err != nil {
				cancel(fmt.Errorf("publisher %d: %w", p, err))
			}
		}(p)
	}

	begun := time.Now()
	seen := make([]uint64, (messages+63)/64)
	count, first := 0, uint64(0)
	err = in.ConsumeFunc(ctx, queue.Name, "", false, true, false, nil, func(d newapi.Delivery) {
		id := binary.BigEndian.Uint64(d.Body)
		if bit := uint64(1) << (id % 64); seen[id/64]&bit != 0 {
			cancel(fmt.Errorf("message %d came twice", id))
		} else {
			seen[id/64] |= bit
		}
		count++
		if count%(prefetch/4) == 0 || count == gate.at || count == messages {
			if err := d.Ack(true); err != nil {
				cancel(err)
			}
		}
		if count%gate.at == 0 {
			heap := heapInUse()
			if count == gate.at {
				first = heap
				close(gate.open)
			}
			fmt.Printf("%9d messages  %7.0f/s  heap %6.2f MiB\n", count,
				float64(count)/time.Since(begun).Seconds(), float64(heap)/(1<<20))
		}
		if count == messages {
			cancel(errDone)
		}
	})
	publishing.Wait()
	if cause := context.Cause(ctx); cause != errDone {
		return errors.Join(cause, err)
	}
	last := heapInUse()
	if growth := float64(last)/float64(first) - 1; growth > tolerance {
		return fmt.Errorf("the heap grew by %.0f %%, from %d to %d octets", 100*growth, first, last)
	}
	fmt.Printf("every one of %d messages arrived once; heap %.2f MiB after a tenth, %.2f MiB at the end\n",
		messages, float64(first)/(1<<20), float64(last)/(1<<20))
	return nil
}

type pause struct {
	at   int
	open chan struct{}
}

var errDone = errors.New("done")

// publish sends every publishers-th id from p on and waits for the last of its
// confirmations now and then, so that a refused or lost message is noticed.
func publish(ctx context.Context, ch *newapi.Channel, queue string, p, messages int, gate pause) error {
	body := make([]byte, 64)
	for id, n := p, 0; id < messages; id, n = id+publishers, n+1 {
		if id >= gate.at {
			select {
			case <-gate.open:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		binary.BigEndian.PutUint64(body, uint64(id))
		confirmation, err := newapi.BasicPublishDeferred(ctx, ch, "", queue,
			newapi.BasicProperties{DeliveryMode: newapi.Transient, Type: "soak"}, body, newapi.Mandatory)
		if err != nil {
			return err
		}
		if n%1000 == 0 || id+publishers >= messages {
			if err := confirmation.Result(context.WithoutCancel(ctx)); err != nil {
				return fmt.Errorf("message %d: %w", id, err)
			}
		}
	}
	return nil
}

// heapInUse is the live heap after a collection.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // what the first one finalised
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
