package scope091

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

// Deferred calls run after the cancel that is deferred behind them.
func deferred(ctx context.Context, ch *amqp.Channel, body []byte) {
	ctx, cancel := context.WithCancel(ctx)
	defer ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body})                  // want `BasicPublish\(context.Background\(\), ch,`
	defer func() { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) }() // want `BasicPublish\(context.Background\(\), ch,`
	defer func() {
		func() { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) }() // want `BasicPublish\(context.Background\(\), ch,`
	}()
	defer func() {
		bounded, stop := context.WithTimeout(ctx, 1)
		defer stop()
		_, _ = bounded, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	}()
	defer func(given context.Context) { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) }(ctx) // want `BasicPublish\(context.Background\(\), ch,`
	defer func() {
		own, stop := context.WithTimeout(context.Background(), 1)
		defer stop()
		_, _ = own, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(own, ch,`
	}()
	defer cancel()
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
}

func beside(ctx context.Context, ch *amqp.Channel, body []byte, run func(func() error)) func(context.Context) error {
	go ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body})                                        // want `BasicPublish\(context.Background\(\), ch,`
	go func() { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) }()                       // want `BasicPublish\(context.Background\(\), ch,`
	go func(own context.Context) { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) }(ctx) // want `BasicPublish\(own, ch,`
	run(func() error { return ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) })              // want `BasicPublish\(context.Background\(\), ch,`
	(func() { _ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) })()                        // want `BasicPublish\(ctx, ch,`
	func() {
		bounded, stop := context.WithTimeout(ctx, 1)
		defer stop()
		_, _ = bounded, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(bounded, ch,`
	}()
	return func(own context.Context) error {
		return ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(own, ch,`
	}
}

func cancelled(parent context.Context, ch *amqp.Channel, body []byte) {
	ctx, cancel := context.WithCancel(parent)
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	valued := context.WithValue(ctx, "k", 1)
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(valued, ch,`
	cancel()
	_, _ = valued, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
}

// The second round publishes when the first has cancelled.
func rounds(parent context.Context, ch *amqp.Channel, body []byte) {
	ctx, cancel := context.WithCancel(parent)
	for range body {
		_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
		cancel()
	}
	for range body {
		each, stop := context.WithCancel(parent)
		_, _ = each, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(each, ch,`
		stop()
	}
}

func inArguments(parent context.Context, ch *amqp.Channel, body []byte) {
	ctx, cancel := context.WithCancel(parent)
	_, _ = ctx, ch.Publish("ex", func() string { cancel(); return "key" }(), false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
}

// What cancels later, if it does, is what the context is for.
func elsewhere(parent context.Context, ch *amqp.Channel, body []byte, run func(func())) {
	ctx, cancel := context.WithCancel(parent)
	run(func() { cancel() })
	run(cancel)
	_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
}

type worker struct{ cancel context.CancelFunc }

func (x *worker) field(ctx context.Context, ch *amqp.Channel, body []byte) {
	ctx, x.cancel = context.WithCancel(ctx)
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	x.cancel()
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
}

type group struct{}

func (group) Wait() error { return nil }

func grouped(ctx context.Context) (*group, context.Context) { return nil, ctx }

// The context of a group is cancelled when Wait returns.
func waited(parent context.Context, ch *amqp.Channel, body []byte) {
	g, ctx := grouped(parent)
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	_ = g.Wait()
	_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
}

func told(ctx context.Context, ch *amqp.Channel, body []byte, in chan bool) {
	select {
	case <-in:
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	case <-ctx.Done():
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	}
	if ctx.Err() != nil {
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	} else {
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	}
	if err := ctx.Err(); err == nil {
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	} else {
		_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	}
	<-ctx.Done()
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
}

// A context that may be nil is none.
func unset(ch *amqp.Channel, body []byte, values map[int]context.Context) {
	{
		var ctx context.Context
		_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	}
	{
		var ctx = context.Background()
		_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	}
	if ctx, ok := values[0]; !ok {
		_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	}
	for _, ctx := range values {
		_, _ = ctx, ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(ctx, ch,`
	}
}

func result(ch *amqp.Channel, body []byte) (ctx context.Context, err error) {
	err = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // want `BasicPublish\(context.Background\(\), ch,`
	return context.Background(), err
}
