package newapi

import (
	"context"
	"testing"
	"time"
)

// discard is a Publisher that takes every message and does nothing.
type discard struct {
	messages int
	octets   int
}

func (d *discard) PublishEncoded(_ context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
	d.messages++
	d.octets += len(m.Header)
	return nil, nil
}

// traceHeaders is a typed HeaderTable of the usual size.
type traceHeaders struct {
	id      string
	attempt int32
	sampled bool
}

func (h traceHeaders) AppendFields(dst []byte) ([]byte, error) {
	dst, err := AppendStringField(dst, "trace-id", h.id)
	if err != nil {
		return dst, err
	}
	if dst, err = AppendInt32Field(dst, "attempt", h.attempt); err != nil {
		return dst, err
	}
	return AppendBoolField(dst, "sampled", h.sampled)
}

var usualHeaders = Table{"trace-id": "4bf92f3577b34da6", "attempt": int32(3), "sampled": true}

// usual has the properties that a busy service sets.
func usual(headers Table) BasicProperties {
	return BasicProperties{
		ContentType:   MimeApplicationJSON,
		Headers:       headers,
		DeliveryMode:  Persistent,
		Priority:      4,
		CorrelationId: "0191-7c1e-2d8a",
		ReplyTo:       "orders.replies",
		Expiration:    "60000",
		MessageId:     "order-4711-created",
		Timestamp:     time.Unix(1700000000, 0),
		Type:          "order.created",
		AppId:         "shop",
	}
}

func benchmarkPublish[P AMQPHeader](b *testing.B, properties P) {
	ctx, body := context.Background(), make([]byte, 32)
	var ch Publisher = new(discard)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if err := BasicPublish(ctx, ch, "events", "order.created", properties, body, Mandatory); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBasicPublishTo(b *testing.B) {
	typed := WithHeaders(usual(nil), traceHeaders{"4bf92f3577b34da6", 3, true})
	received, err := ReadOnly(usual(usualHeaders))
	if err != nil {
		b.Fatal(err)
	}
	full := usual(usualHeaders)
	b.Run("Empty", func(b *testing.B) { benchmarkPublish(b, BasicProperties{}) })
	b.Run("NoHeaders", func(b *testing.B) { benchmarkPublish(b, usual(nil)) })
	b.Run("MapHeaders", func(b *testing.B) { benchmarkPublish(b, full) })
	b.Run("MapHeadersPointer", func(b *testing.B) { benchmarkPublish(b, &full) })
	b.Run("TypedHeaders", func(b *testing.B) { benchmarkPublish(b, typed) })
	b.Run("Received", func(b *testing.B) { benchmarkPublish(b, received) })
	b.Run("Delivery", func(b *testing.B) { benchmarkPublish(b, Delivery{ReadOnlyBasicProperties: received}) })
	b.Run("Foreign", func(b *testing.B) { benchmarkPublish(b, foreign{full}) })
}

// foreign is what a user's own AMQPHeader is to this package.
type foreign struct{ BasicProperties }

func BenchmarkReadOnly(b *testing.B) {
	received, err := ReadOnly(usual(usualHeaders))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("MessageId", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			_ = received.MessageId()
		}
	})
	b.Run("Header", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			_, _ = received.Header("attempt")
		}
	})
	b.Run("Struct", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; i < b.N; i++ {
			_ = received.Struct()
		}
	})
}
