package publish

import (
	"context"
	"errors"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/notifier/event"
)

// Config is what a deployment decides.
type Config struct {
	Publish struct {
		Exchange string
		Attempts int
	}
	// Before is called with the key of every message.
	Before Hooks
}

// Hooks are called at the places that their names say.
type Hooks struct {
	Publish func(ctx context.Context, key string) error
}

// Publisher publishes to one exchange.
type Publisher struct {
	ch  *amqp.Channel
	cfg Config
}

// New declares the exchange, and puts ch into confirm mode.
func New(ch *amqp.Channel, cfg Config) (*Publisher, error) {
	err := ch.ExchangeDeclare(
		cfg.Publish.Exchange, // name
		"topic",              // type
		false,                // durable
		true,                 // auto-deleted
		false,                // internal
		false,                // no-wait
		nil,                  // arguments
	)
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	if err := ch.Confirm(false); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	return &Publisher{ch: ch, cfg: cfg}, nil
}

// Send publishes a text with options.
func (p *Publisher) Send(ctx context.Context, key, text string, opts ...event.Option) error {
	if before := p.cfg.Before; before.Publish != nil {
		if err := before.Publish(ctx, key); err != nil {
			return fmt.Errorf("publish %s: %w", key, err)
		}
	}
	msg := amqp.Publishing{
		ContentType: "text/plain",
		Type:        "publish.send",
		Body:        []byte(text),
	}
	event.Apply(&msg, opts...)
	return p.ch.PublishWithContext(ctx, p.cfg.Publish.Exchange, key, false, false, msg)
}

// JSON publishes what is JSON already.
func (p *Publisher) JSON(ctx context.Context, key string, document []byte) error {
	err := p.ch.PublishWithContext(
		ctx,                    // the caller's
		p.cfg.Publish.Exchange, // exchange
		key,                    // routing key
		false,                  // mandatory
		false,                  // immediate
		amqp.Publishing{
			ContentType:     "application/json",
			ContentEncoding: "utf-8",
			Type:            "publish.json",
			Body:            document,
		},
	)
	if err != nil {
		return fmt.Errorf("publish %s: %w", key, err)
	}
	return nil
}

// ErrRefused is returned when the broker does not confirm a message.
var ErrRefused = errors.New("publish: the broker has refused the message")

// Sure publishes a text and waits until the broker has it.
func (p *Publisher) Sure(ctx context.Context, key, text string) error {
	dc, err := p.ch.PublishWithDeferredConfirm(p.cfg.Publish.Exchange, key, false, false, amqp.Publishing{
		DeliveryMode: amqp.Persistent,
		Type:         "publish.sure",
		Body:         []byte(text),
	})
	if err != nil {
		return err
	}
	return wait(ctx, dc)
}

// Forward publishes a message that came from elsewhere and waits, too.
func (p *Publisher) Forward(ctx context.Context, key string, msg amqp.Publishing) error {
	if dc, err := p.ch.PublishWithDeferredConfirmWithContext(ctx, p.cfg.Publish.Exchange, key, false, false, msg); err != nil {
		return err
	} else {
		return wait(ctx, dc)
	}
}

func wait(ctx context.Context, dc *amqp.DeferredConfirmation) error {
	if dc == nil {
		return errors.New("publish: the channel is not in confirm mode")
	}
	acked, err := dc.WaitContext(ctx)
	if err == nil && !acked {
		err = ErrRefused
	}
	return err
}

// publishFunc is a channel's PublishWithContext.
type publishFunc func(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error

// Insist publishes a message, several times if need be.
func (p *Publisher) Insist(ctx context.Context, key string, msg amqp.Publishing) error {
	return p.attempt(ctx, p.ch.PublishWithContext, key, msg)
}

func (p *Publisher) attempt(ctx context.Context, publish publishFunc, key string, msg amqp.Publishing) (err error) {
	for i := 0; i < max(1, p.cfg.Publish.Attempts); i++ {
		if err = publish(ctx, p.cfg.Publish.Exchange, key, false, false, msg); err == nil {
			return nil
		}
	}
	return fmt.Errorf("publish %s: %w", key, err)
}
