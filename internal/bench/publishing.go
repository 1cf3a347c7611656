package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// publishing is a subject that publishes from goroutines that share a channel.
type publishing struct {
	workers   []worker // one for each goroutine
	delivered func() (tally, error)
	conn      io.Closer
}

// worker is how one goroutine publishes. Only one uses it at a time.
type worker struct {
	publish func(context.Context) error
	finish  func() error // waits for what publish has left open; may be nil
}

// channel is what the channels of all sides have in common.
type channel interface {
	Confirm(noWait bool) error
	QueueDeclare(name string, durable, autoDelete, exclusive, noWait bool, args amqp.Table) (amqp.Queue, error)
	QueueDeclarePassive(name string, durable, autoDelete, exclusive, noWait bool, args amqp.Table) (amqp.Queue, error)
	QueuePurge(name string, noWait bool) (int, error)
	ExchangeDeclare(name, kind string, durable, autoDelete, internal, noWait bool, args amqp.Table) error
	ExchangeDeclarePassive(name, kind string, durable, autoDelete, internal, noWait bool, args amqp.Table) error
}

// way is how a side publishes.
type way[C channel] struct {
	dial    dialer[C]
	prepare func(C) (func() worker, error)
}

// plainWay publishes with publish, which leaves nothing open.
func plainWay[C channel](dial dialer[C], publish func(context.Context, C) error) way[C] {
	return way[C]{dial, func(ch C) (func() worker, error) {
		w := worker{publish: func(ctx context.Context) error { return publish(ctx, ch) }}
		return func() worker { return w }, nil
	}}
}

// future is what deferred publishes return.
type future interface {
	comparable
	Wait() bool
}

// deferredWay publishes in confirm mode with publish and lets each goroutine have
// unsettled futures up to limit. Every one must end as acknowledged.
func deferredWay[C channel, F future](dial dialer[C], limit int, publish func(context.Context, C) (F, error)) way[C] {
	return way[C]{dial, func(ch C) (func() worker, error) {
		if err := ch.Confirm(false); err != nil {
			return nil, err
		}
		return func() worker {
			open := window[F]{futures: make([]F, limit)}
			return worker{
				publish: func(ctx context.Context) error {
					f, err := publish(ctx, ch)
					if err != nil {
						return err
					}
					return open.add(f)
				},
				finish: open.settle,
			}
		}, nil
	}}
}

// window holds the futures that may be unsettled, oldest first from next.
type window[F future] struct {
	futures []F
	next    int
}

var errNotConfirmed = errors.New("a message was not confirmed")

// add makes room for f: it waits for the oldest if there are as many as there may
// be.
func (w *window[F]) add(f F) error {
	var none F
	oldest := w.futures[w.next]
	w.futures[w.next] = f
	if w.next++; w.next == len(w.futures) {
		w.next = 0
	}
	if oldest != none && !oldest.Wait() {
		return errNotConfirmed
	}
	return nil
}

// settle waits for all.
func (w *window[F]) settle() error {
	var none F
	for range w.futures {
		if err := w.add(none); err != nil {
			return err
		}
	}
	return nil
}

// publishFrom returns a subject that publishes w's way.
func publishFrom[C channel](goroutines int, w way[C], where func(*lab) (endpoint, error), delivered func(C) (tally, error)) func(*lab) (subject, error) {
	return func(l *lab) (subject, error) {
		at, err := where(l)
		if err != nil {
			return nil, err
		}
		to, err := w.dial(at)
		if err != nil {
			return nil, err
		}
		newWorker, err := w.prepare(to.channel)
		if err != nil {
			return nil, errors.Join(err, to.conn.Close())
		}
		p := &publishing{conn: to.conn, delivered: func() (tally, error) { return delivered(to.channel) }}
		for i := 0; i < goroutines; i++ {
			p.workers = append(p.workers, newWorker())
		}
		return p, nil
	}
}

// Run implements subject.
func (p *publishing) Run(n int) error {
	count := len(p.workers)
	if count == 1 {
		return p.workers[0].run(n)
	}
	return p.each(func(i int) error { return p.workers[i].run(n*(i+1)/count - n*i/count) })
}

// each runs f for every worker, each on its goroutine, and returns when all have
// ended.
func (p *publishing) each(f func(i int) error) error {
	ended := make(chan error, len(p.workers))
	for i := range p.workers {
		go func(i int) { ended <- f(i) }(i)
	}
	var errs []error
	for range p.workers {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

func (w worker) run(n int) error {
	ctx := context.Background()
	for i := 0; i < n; i++ {
		if err := w.publish(ctx); err != nil {
			return err
		}
	}
	return w.end()
}

func (w worker) end() error {
	if w.finish == nil {
		return nil
	}
	return w.finish()
}

// RunFor implements timedSubject.
func (p *publishing) RunFor(d time.Duration, took *callTimes) error {
	var over atomic.Bool
	timer := time.AfterFunc(d, func() { over.Store(true) })
	defer timer.Stop()
	times := make([]callTimes, len(p.workers))
	err := p.each(func(i int) error { return p.workers[i].runUntil(&over, &times[i]) })
	for i := range times {
		took.add(&times[i])
	}
	return err
}

func (w worker) runUntil(over *atomic.Bool, took *callTimes) error {
	ctx := context.Background()
	for !over.Load() {
		start := time.Now()
		if err := w.publish(ctx); err != nil {
			return err
		}
		took.record(time.Since(start))
	}
	return w.end()
}

// Delivered implements subject.
func (p *publishing) Delivered() (tally, error) { return p.delivered() }

// Close implements subject.
func (p *publishing) Close() error { return p.conn.Close() }

// atSink asks the sink what has arrived.
func atSink[C channel](ch C) (tally, error) {
	q, err := ch.QueueDeclarePassive("tally", false, false, false, false, nil)
	if err != nil {
		return tally{}, fmt.Errorf("asking the sink: %w", err)
	}
	return parseTally(q.Name)
}

func sinkEndpoint(l *lab) (endpoint, error) {
	s, err := l.sink()
	if err != nil {
		return endpoint{}, err
	}
	return s.endpoint(), nil
}

func sinkTLSEndpoint(l *lab) (endpoint, error) {
	s, err := l.sink()
	if err != nil {
		return endpoint{}, err
	}
	return s.tlsEndpoint()
}
