package amqp091

import (
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// delivery makes amqp091-go's Delivery of newapi's.
func (ch *Channel) delivery(d newapi.Delivery) Delivery {
	p := received(d.ReadOnlyBasicProperties, &d.Exchange, &d.RoutingKey)
	return Delivery{
		Acknowledger:    ch,
		Headers:         p.Headers,
		ContentType:     p.ContentType,
		ContentEncoding: p.ContentEncoding,
		DeliveryMode:    p.DeliveryMode,
		Priority:        p.Priority,
		CorrelationId:   p.CorrelationId,
		ReplyTo:         p.ReplyTo,
		Expiration:      p.Expiration,
		MessageId:       p.MessageId,
		Timestamp:       p.Timestamp,
		Type:            p.Type,
		UserId:          p.UserId,
		AppId:           p.AppId,
		ConsumerTag:     d.ConsumerTag,
		MessageCount:    d.MessageCount,
		DeliveryTag:     d.DeliveryTag,
		Redelivered:     d.Redelivered,
		Exchange:        d.Exchange,
		RoutingKey:      d.RoutingKey,
		Body:            d.Body,
	}
}

// returned makes amqp091-go's Return of newapi's.
func returned(r newapi.Return) Return {
	p := received(r.ReadOnlyBasicProperties, &r.Exchange, &r.RoutingKey)
	return Return{
		ReplyCode:       r.ReplyCode,
		ReplyText:       r.ReplyText,
		Exchange:        r.Exchange,
		RoutingKey:      r.RoutingKey,
		ContentType:     p.ContentType,
		ContentEncoding: p.ContentEncoding,
		Headers:         p.Headers,
		DeliveryMode:    p.DeliveryMode,
		Priority:        p.Priority,
		CorrelationId:   p.CorrelationId,
		ReplyTo:         p.ReplyTo,
		Expiration:      p.Expiration,
		MessageId:       p.MessageId,
		Timestamp:       p.Timestamp,
		Type:            p.Type,
		UserId:          p.UserId,
		AppId:           p.AppId,
		Body:            r.Body,
	}
}

// received decodes properties as amqp091-go does: times are local, and strings,
// the two given ones included, hold no more memory than their own. newapi's are
// views of the whole message; a program that was written for amqp091-go may keep
// a message id for ever and count on the body to go.
func received(view newapi.ReadOnlyBasicProperties, exchange, routingKey *string) newapi.BasicProperties {
	p := view.Struct()
	detach(exchange, routingKey,
		&p.ContentType, &p.ContentEncoding, &p.CorrelationId, &p.ReplyTo, &p.Expiration,
		&p.MessageId, &p.Type, &p.UserId, &p.AppId)
	if !p.Timestamp.IsZero() {
		p.Timestamp = time.Unix(p.Timestamp.Unix(), 0)
	}
	localTimes(p.Headers)
	return p
}

// detach moves strings into one block of memory of their own.
func detach(all ...*string) {
	size := 0
	for _, s := range all {
		size += len(*s)
	}
	if size == 0 {
		return
	}
	var b strings.Builder
	b.Grow(size)
	for _, s := range all {
		b.WriteString(*s)
	}
	block := b.String()
	for _, s := range all {
		*s, block = block[:len(*s)], block[len(*s):]
	}
}

// localTimes makes the times in a table local, nested ones too.
func localTimes(t Table) {
	for name, v := range t {
		switch v := v.(type) {
		case time.Time:
			t[name] = v.Local()
		case Table:
			localTimes(v)
		case []any:
			localElements(v)
		}
	}
}

func localElements(values []any) {
	for i, v := range values {
		switch v := v.(type) {
		case time.Time:
			values[i] = v.Local()
		case Table:
			localTimes(v)
		case []any:
			localElements(v)
		}
	}
}
