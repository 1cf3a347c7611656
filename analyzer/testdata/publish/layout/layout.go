// Package layout publishes in many lines or few.
package layout

import (
	"context"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
)

func anArgumentALine(ctx context.Context, ch *amqp.Channel, body []byte, m bool) error {
	if err := ch.PublishWithContext(
		ctx, // the caller's
		"ex",
		"key",
		m,
		false,
		amqp.Publishing{ // native
			Type: "t",
			Body: body,
		},
	); err != nil {
		return err
	}
	return ch.PublishWithContext(
		ctx,
		"ex",
		"key",
		m,
		false,
		amqp.Publishing{ // native
			Type: "t",
			Body: body,
		})
}

func messageOnItsLine(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(ctx, "ex", "key", true, false,
		amqp.Publishing{Type: "t", Body: body}) // native
}

func noContext(ch *amqp.Channel, body []byte) error {
	return ch.Publish(
		"ex",
		"key",
		true,
		false,
		amqp.Publishing{Type: "t", Body: body}, // native
	)
}

func contextWithExchange(ctx context.Context, ch *amqp.Channel, body []byte) error {
	return ch.PublishWithContext(
		ctx, "ex",
		"key",
		false, false,
		amqp.Publishing{ // native
			Body: body,
		},
	)
}

type pool struct{ ch *amqp.Channel }

func (p *pool) get(name string) *pool       { return p }
func (p *pool) context() context.Context    { return context.Background() }
func (p *pool) channels() [][]*amqp.Channel { return nil }

func chains(ctx context.Context, p *pool, body []byte) {
	_ = p.
		get("a").
		ch.
		PublishWithContext(ctx, "ex", "key", false, false, amqp.Publishing{Body: body}) // native
	_ = p.
		get("a").ch.
		PublishWithContext(
			p.context(),
			"ex",
			"key",
			false,
			false,
			amqp.Publishing{Body: body}, // native
		)
	_ = p.get(
		"a",
	).
		channels()[0][1].
		Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // native
	_ = p. // left position
		// the first one
		get("a").
		ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body})
}

func severalFieldsALine(ch *amqp.Channel, body []byte) {
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
		Type: "t", Body: body, // both
		AppId: "a",
	})
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
		Type: "t", Body: body, // both
	})
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Type: "t", Body: body, // native
		AppId: "a"})
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body, // native
		AppId: "a"})
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{ // native
		Body: func() []byte {
			return body
		}(),
		Type: "t",
	})
}

func places(ch *amqp.Channel, body []byte) {
	_ = ch.Publish("ex", "key", false, false /*line body.y:3:1*/, amqp.Publishing{Body: body}) // left position
//line publish.y:3
	_ = ch.Publish("ex", "key", false, false, amqp.Publishing{Body: body}) // native
}
