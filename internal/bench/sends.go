package main

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// How each side publishes a message with the usual properties.

func peerSend(exchange, key string, body []byte) func(context.Context, *amqp.Channel) error {
	m := usualPublishing(body)
	return func(ctx context.Context, ch *amqp.Channel) error {
		//amqpfix:ignore publish the peer is what is measured
		return ch.PublishWithContext(ctx, exchange, key, false, false, m)
	}
}

func peerSendDeferred(exchange, key string, body []byte) func(context.Context, *amqp.Channel) (*amqp.DeferredConfirmation, error) {
	m := usualPublishing(body)
	return func(ctx context.Context, ch *amqp.Channel) (*amqp.DeferredConfirmation, error) {
		//amqpfix:ignore publish the peer is what is measured
		return ch.PublishWithDeferredConfirmWithContext(ctx, exchange, key, false, false, m)
	}
}

func oursSend(exchange, key string, body []byte) func(context.Context, *newapi.Channel) error {
	p := usualProperties()
	return func(ctx context.Context, ch *newapi.Channel) error {
		return newapi.BasicPublish(ctx, ch, exchange, key, p, body)
	}
}

func oursSendDeferred(exchange, key string, body []byte) func(context.Context, *newapi.Channel) (*newapi.DeferredConfirmation, error) {
	p := usualProperties()
	return func(ctx context.Context, ch *newapi.Channel) (*newapi.DeferredConfirmation, error) {
		return newapi.BasicPublishDeferred(ctx, ch, exchange, key, p, body)
	}
}

// compatSend is peerSend with only the import path changed.
func compatSend(exchange, key string, body []byte) func(context.Context, *amqp091.Channel) error {
	m := usualPublishing(body)
	return func(ctx context.Context, ch *amqp091.Channel) error {
		//amqpfix:ignore publish an unchanged call site is what is measured
		return ch.PublishWithContext(ctx, exchange, key, false, false, m)
	}
}

// awaiting publishes with publish and waits for the confirmation.
func awaiting[C channel, F future](publish func(context.Context, C) (F, error)) func(context.Context, C) (F, error) {
	return func(ctx context.Context, ch C) (F, error) {
		f, err := publish(ctx, ch)
		if err == nil && !f.Wait() {
			err = errNotConfirmed
		}
		return f, err
	}
}
