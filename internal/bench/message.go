package main

import (
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// What is published, as each side has it.

const (
	exchange   = "orders"
	routingKey = "order.created"
)

var timestamp = time.Unix(1_700_000_000, 0)

// usualPublishing has the properties that most messages have.
func usualPublishing(body []byte) amqp.Publishing {
	return amqp.Publishing{
		ContentType: "application/json", DeliveryMode: amqp.Persistent, MessageId: "order-4711-created",
		Timestamp: timestamp, Type: "order.created", AppId: "shop", Body: body,
	}
}

// usualProperties are usualPublishing's.
func usualProperties() newapi.BasicProperties {
	return newapi.BasicProperties{
		ContentType: "application/json", DeliveryMode: newapi.Persistent, MessageId: "order-4711-created",
		Timestamp: timestamp, Type: "order.created", AppId: "shop",
	}
}

// fullPublishing has every property that a service sets.
func fullPublishing(headers amqp.Table, body []byte) amqp.Publishing {
	return amqp.Publishing{
		ContentType: "application/json", ContentEncoding: "utf-8", Headers: headers,
		DeliveryMode: amqp.Persistent, Priority: 4, CorrelationId: "0191-7c1e-2d8a", ReplyTo: "orders.replies",
		Expiration: "60000", MessageId: "order-4711-created", Timestamp: timestamp, Type: "order.created",
		UserId: "guest", AppId: "shop", Body: body,
	}
}

// fullProperties are fullPublishing's.
func fullProperties(headers newapi.Table) newapi.BasicProperties {
	return newapi.BasicProperties{
		ContentType: "application/json", ContentEncoding: "utf-8", Headers: headers,
		DeliveryMode: newapi.Persistent, Priority: 4, CorrelationId: "0191-7c1e-2d8a", ReplyTo: "orders.replies",
		Expiration: "60000", MessageId: "order-4711-created", Timestamp: timestamp, Type: "order.created",
		UserId: "guest", AppId: "shop",
	}
}

const traceID = "4bf92f3577b34da6"

func newHeaders() amqp.Table {
	return amqp.Table{"trace-id": traceID, "attempt": int32(3), "sampled": true}
}

var headers = newHeaders()

// traceHeaders are newHeaders as a type of their own.
type traceHeaders struct {
	id      string
	attempt int32
	sampled bool
}

// AppendFields implements newapi.HeaderTable.
func (h traceHeaders) AppendFields(dst []byte) ([]byte, error) {
	dst, err := newapi.AppendStringField(dst, "trace-id", h.id)
	if err != nil {
		return dst, err
	}
	if dst, err = newapi.AppendInt32Field(dst, "attempt", h.attempt); err != nil {
		return dst, err
	}
	return newapi.AppendBoolField(dst, "sampled", h.sampled)
}
