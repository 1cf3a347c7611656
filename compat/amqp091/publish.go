package amqp091

import (
	"context"

	"github.com/amqpfix/amqpfix/newapi"
)

// DeferredConfirmation is the future of one publish in confirm mode. It is
// newapi's own type, so that one variable holds what either way of publishing
// returned. Outside confirm mode it is nil, and its methods then say that there
// is nothing to wait for.
type DeferredConfirmation = newapi.DeferredConfirmation

// Header is a Publishing as the properties of a [newapi.BasicPublish]: convert
// one to the other.
//
//	err := newapi.BasicPublish(ctx, ch, "orders", "created", amqp091.Header(msg), msg.Body)
//
// Its Body is not looked at.
type Header Publishing

var _ newapi.AMQPHeader = Header{}

// AppendHeader appends the properties to dst, in the bytes that amqp091-go sends;
// it implements [newapi.AMQPHeader]. What Table.Validate refuses is refused with
// the same words, and so is a string of more than 255 bytes.
func (h Header) AppendHeader(dst []byte) ([]byte, error) {
	if err := h.Headers.Validate(); err != nil {
		return dst, err
	}
	return h.properties().AppendHeader(dst)
}

// properties are those of h for newapi, which encodes them as amqp091-go does.
func (h *Header) properties() newapi.BasicProperties {
	return newapi.BasicProperties{
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
}

// BasicPublish publishes msg whole, properties and body, as [newapi.BasicPublish]
// does. It is for a Publishing that comes from a call or a chan, so that taking
// it apart would evaluate it twice:
//
//	err := amqp091.BasicPublish(ctx, ch, "orders", "created", toMessage(order))
func BasicPublish(ctx context.Context, ch newapi.Publisher, exchange, routingKey string, msg Publishing, flags ...newapi.PublishFlag) error {
	return newapi.BasicPublish(ctx, ch, exchange, routingKey, Header(msg), msg.Body, flags...)
}

// BasicPublishDeferred publishes msg whole, as [newapi.BasicPublishDeferred] does:
// unlike Channel.PublishWithDeferredConfirm it returns as soon as the message is
// admitted to the connection.
func BasicPublishDeferred(ctx context.Context, ch newapi.Publisher, exchange, routingKey string, msg Publishing, flags ...newapi.PublishFlag) (*DeferredConfirmation, error) {
	return newapi.BasicPublishDeferred(ctx, ch, exchange, routingKey, Header(msg), msg.Body, flags...)
}

// Publish publishes msg to an exchange. It returns nil when the message is with
// the kernel, which is not yet the broker's word; that is what Confirm is for.
// With mandatory, a message that no queue takes comes back by NotifyReturn.
// RabbitMQ knows no immediate: it closes the connection with 540.
//
// What cannot be sent is refused before anything is written, and the channel
// stays open: a value that Table.Validate refuses, an exchange, routing key or
// string property of more than 255 bytes, properties that do not fit a frame. On
// a closed channel the error is ErrClosed.
func (ch *Channel) Publish(exchange, key string, mandatory, immediate bool, msg Publishing) error {
	return ch.publish(context.Background(), exchange, key, mandatory, immediate, &msg)
}

// PublishWithContext is Publish with a bound: if ctx ends while the message waits
// for the connection, nothing of it is sent and the error is that of ctx.
func (ch *Channel) PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg Publishing) error {
	return ch.publish(ctx, exchange, key, mandatory, immediate, &msg)
}

// PublishWithDeferredConfirm is Publish with the future of the broker's answer,
// or nil outside confirm mode.
func (ch *Channel) PublishWithDeferredConfirm(exchange, key string, mandatory, immediate bool, msg Publishing) (*DeferredConfirmation, error) {
	return ch.publishDeferred(context.Background(), exchange, key, mandatory, immediate, &msg)
}

// PublishWithDeferredConfirmWithContext is PublishWithDeferredConfirm with a
// bound, as PublishWithContext has it.
func (ch *Channel) PublishWithDeferredConfirmWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg Publishing) (*DeferredConfirmation, error) {
	return ch.publishDeferred(ctx, exchange, key, mandatory, immediate, &msg)
}

func (ch *Channel) publish(ctx context.Context, exchange, key string, mandatory, immediate bool, msg *Publishing) error {
	if err := publishable(ctx, msg); err != nil {
		return err
	}
	return newapi.BasicPublish(ctx, ch.ch, exchange, key,
		(*Header)(msg).properties(), msg.Body, newapi.FlagsIf(mandatory, immediate))
}

func (ch *Channel) publishDeferred(ctx context.Context, exchange, key string, mandatory, immediate bool, msg *Publishing) (*DeferredConfirmation, error) {
	if err := publishable(ctx, msg); err != nil {
		return nil, err
	}
	return newapi.BasicPublishDeferred(ctx, writing{ch.ch}, exchange, key,
		(*Header)(msg).properties(), msg.Body, newapi.FlagsIf(mandatory, immediate))
}

// publishable has the errors of amqp091-go in its order: ctx, then headers.
func publishable(ctx context.Context, msg *Publishing) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return msg.Headers.Validate()
}

// writing publishes deferred messages, too, only when they are written.
type writing struct{ ch *newapi.Channel }

func (w writing) PublishEncoded(ctx context.Context, m newapi.EncodedMessage) (*DeferredConfirmation, error) {
	m.Written = true
	return w.ch.PublishEncoded(ctx, m)
}

// PublishEncoded sends a message whose properties are encoded already; it
// implements [newapi.Publisher], as newapi's Channel does.
func (ch *Channel) PublishEncoded(ctx context.Context, m newapi.EncodedMessage) (*DeferredConfirmation, error) {
	return ch.ch.PublishEncoded(ctx, m)
}

var (
	_ newapi.Publisher = (*Channel)(nil)
	_ Acknowledger     = (*Channel)(nil)
)
