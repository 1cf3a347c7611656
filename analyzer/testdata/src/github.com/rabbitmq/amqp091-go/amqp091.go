// Package amqp091 is a small stand-in for amqp091-go: the same names and types,
// and a channel that hands what is published to Record.
package amqp091

import (
	"context"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

const (
	Transient  uint8 = newapi.Transient
	Persistent uint8 = newapi.Persistent
)

type Table = newapi.Table

type Publishing struct {
	Headers         Table
	ContentType     string
	ContentEncoding string
	DeliveryMode    uint8
	Priority        uint8
	CorrelationId   string
	ReplyTo         string
	Expiration      string
	MessageId       string
	Timestamp       time.Time
	Type            string
	UserId          string
	AppId           string
	Body            []byte
}

func properties(msg Publishing) newapi.BasicProperties {
	return newapi.BasicProperties{
		ContentType:     msg.ContentType,
		ContentEncoding: msg.ContentEncoding,
		Headers:         msg.Headers,
		DeliveryMode:    msg.DeliveryMode,
		Priority:        msg.Priority,
		CorrelationId:   msg.CorrelationId,
		ReplyTo:         msg.ReplyTo,
		Expiration:      msg.Expiration,
		MessageId:       msg.MessageId,
		Timestamp:       msg.Timestamp,
		Type:            msg.Type,
		UserId:          msg.UserId,
		AppId:           msg.AppId,
	}
}

type DeferredConfirmation struct{ *newapi.DeferredConfirmation }

type Channel struct {
	Record  func(newapi.EncodedMessage)
	Confirm bool
	ch      newapi.Channel
}

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
	ch.ch.Record, ch.ch.Confirm = ch.Record, ch.Confirm
	dc, err := newapi.BasicPublishDeferred(ctx, &ch.ch, exchange, key, properties(msg), msg.Body, newapi.FlagsIf(mandatory, immediate))
	if dc == nil {
		return nil, err
	}
	return &DeferredConfirmation{dc}, err
}
