package scope

import (
	"context"

	"github.com/amqpfix/amqpfix/compat"
)

func parameter(ctx context.Context, ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // want `use newapi.BasicPublish\(ctx, ch,`
}

func nearest(ctx context.Context, ch *compat.Channel, body []byte) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if inner.Err() == nil {
		return ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(inner, ch,`
	}
	late, stop := context.WithCancel(ctx)
	defer stop()
	return ch.BasicPublish("", "q", false, nil, append(body, deadline(late))) // want `BasicPublish\(late, ch,`
}

func deadline(ctx context.Context) byte { return 0 }

// The one that is nearest has another type.
func shadowed(ctx context.Context, ch *compat.Channel, body []byte) error {
	for _, ctx := range body {
		if err := ch.BasicPublish("", "q", false, nil, []byte{ctx}); err != nil { // want `BasicPublish\(context.Background\(\), ch,`
			return err
		}
	}
	return nil
}

func none(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
}

// Declared behind the publish.
func behind(ch *compat.Channel, body []byte) error {
	if err := ch.BasicPublish("", "q", false, nil, body); err != nil { // want `BasicPublish\(context.Background\(\), ch,`
		return err
	}
	ctx := context.TODO()
	return ctx.Err()
}

var global context.Context

// A package variable is not in the function's hands.
func packageVariable(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
}

func closure(ctx context.Context, ch *compat.Channel, body []byte) func() error {
	return func() error {
		return ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
	}
}

func blank(_ context.Context, ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
}

func deferred(ctx context.Context, ch *compat.Channel, body []byte) {
	ctx, cancel := context.WithCancel(ctx)
	defer ch.BasicPublish("", "q", false, nil, body)                  // want `BasicPublish\(context.Background\(\), ch,`
	defer func() { _ = ch.BasicPublish("", "q", false, nil, body) }() // want `BasicPublish\(context.Background\(\), ch,`
	go ch.BasicPublish("", "q", false, nil, body)                     // want `BasicPublish\(context.Background\(\), ch,`
	go func() { _ = ch.BasicPublish("", "q", false, nil, body) }()    // want `BasicPublish\(context.Background\(\), ch,`
	defer cancel()
	func() { _ = ch.BasicPublish("", "q", false, nil, body) }()                          // want `BasicPublish\(ctx, ch,`
	go func(own context.Context) { _ = ch.BasicPublish("", "q", false, nil, body) }(ctx) // want `BasicPublish\(own, ch,`
	go func() {
		own, stop := context.WithCancel(context.Background())
		defer stop()
		_, _ = own, ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(own, ch,`
	}()
}

func cancelled(ctx context.Context, ch *compat.Channel, body []byte) {
	inner, cancel := context.WithCancel(ctx)
	_ = ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(inner, ch,`
	cancel()
	_ = ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
	_ = inner
}

func unset(ch *compat.Channel, body []byte) {
	var ctx context.Context
	_ = ch.BasicPublish("", "q", false, nil, body) // want `BasicPublish\(context.Background\(\), ch,`
	_ = ctx
}
