// Package amqp091 is a small stand-in for the real package: the same names, types
// and meaning.
package amqp091

import (
	"context"

	"github.com/amqpfix/amqpfix/newapi"
	upstream "github.com/rabbitmq/amqp091-go"
)

const (
	Transient  = upstream.Transient
	Persistent = upstream.Persistent
)

type (
	Table                = newapi.Table
	Publishing           = upstream.Publishing
	DeferredConfirmation = newapi.DeferredConfirmation
)

type Header Publishing

func (h Header) AppendHeader(dst []byte) ([]byte, error) {
	properties := newapi.BasicProperties{
		ContentType:     h.ContentType,
		ContentEncoding: h.ContentEncoding,
		Headers:         h.Headers,
		DeliveryMode:    h.DeliveryMode,
		Priority:        h.Priority,
		CorrelationId:   h.CorrelationId,
		ReplyTo:         h.ReplyTo,
		Expiration:      h.Expiration,
		MessageId:       h.MessageId,
		Timestamp:       h.Timestamp,
		Type:            h.Type,
		UserId:          h.UserId,
		AppId:           h.AppId,
	}
	return properties.AppendHeader(dst)
}

func BasicPublish(ctx context.Context, ch newapi.Publisher, exchange, routingKey string, msg Publishing, flags ...newapi.PublishFlag) error {
	return newapi.BasicPublish(ctx, ch, exchange, routingKey, Header(msg), msg.Body, flags...)
}

func BasicPublishDeferred(ctx context.Context, ch newapi.Publisher, exchange, routingKey string, msg Publishing, flags ...newapi.PublishFlag) (*DeferredConfirmation, error) {
	return newapi.BasicPublishDeferred(ctx, ch, exchange, routingKey, Header(msg), msg.Body, flags...)
}

type Channel struct{ newapi.Channel }

func (ch *Channel) Publish(exchange, key string, mandatory, immediate bool, msg Publishing) error {
	return ch.PublishWithContext(context.Background(), exchange, key, mandatory, immediate, msg)
}

func (ch *Channel) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg Publishing) error {
	_, err := ch.PublishWithDeferredConfirmWithContext(ctx, exchange, key, mandatory, immediate, msg)
	return err
}

func (ch *Channel) PublishWithDeferredConfirm(exchange, key string, mandatory, immediate bool, msg Publishing) (*DeferredConfirmation, error) {
	return ch.PublishWithDeferredConfirmWithContext(context.Background(), exchange, key, mandatory, immediate, msg)
}

func (ch *Channel) PublishWithDeferredConfirmWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg Publishing) (*DeferredConfirmation, error) {
	return newapi.BasicPublishDeferred(ctx, &ch.Channel, exchange, key, Header(msg), msg.Body, newapi.FlagsIf(mandatory, immediate))
}
