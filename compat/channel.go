package compat

import (
	"context"
	"sync"

	"github.com/amqpfix/amqpfix/newapi"
)

// Model is what code that publishes the old way needs of a channel, for mocks
// in tests. *Channel implements it.
//
// Deprecated: take a [newapi.Publisher], which is as easy to fake.
type Model interface {
	// CreateBasicProperties returns properties of which none is present.
	CreateBasicProperties() BasicProperties

	// BasicPublish publishes as Channel.BasicPublish does.
	BasicPublish(exchange, routingKey string, mandatory bool, properties BasicProperties, body []byte) error
}

var (
	_ Model            = (*Channel)(nil)
	_ newapi.Publisher = (*Channel)(nil)
)

// Channel is a newapi channel with the old methods added; all else is promoted
// from newapi. It is safe for concurrent use.
//
// It is a [newapi.Publisher]: one call can move to [newapi.BasicPublish] while
// the variable keeps its type.
//
// &Channel{Channel: ch} gives a channel that newer code has opened the old
// methods. A Channel must not be copied.
type Channel struct {
	*newapi.Channel

	watch      sync.Once
	closedChan <-chan *newapi.Error // ready once the channel has closed
}

// closed is made on first use: most channels have no need of it.
func (ch *Channel) closed() <-chan *newapi.Error {
	ch.watch.Do(func() { ch.closedChan = ch.NotifyClose(make(chan *newapi.Error, 1)) })
	return ch.closedChan
}

// CreateBasicProperties returns properties of which none is present. It does no
// I/O, and works on a closed channel too.
//
// Deprecated: use a [newapi.BasicProperties] literal.
func (ch *Channel) CreateBasicProperties() BasicProperties {
	return FromStruct(newapi.BasicProperties{})
}

// BasicPublish publishes body with properties to exchange. When mandatory is
// true, a message that no queue takes comes back to [Channel.NotifyBasicReturn].
// Nil properties are empty properties.
//
// Its errors, and what nil means, are those of [newapi.BasicPublish]; it cannot
// be cancelled. Neither properties nor body is kept or changed.
//
// Deprecated: use [newapi.BasicPublish] with a [newapi.BasicProperties], and
// [newapi.Mandatory] for mandatory.
func (ch *Channel) BasicPublish(exchange, routingKey string, mandatory bool, properties BasicProperties, body []byte) error {
	return publish(ch, exchange, routingKey, mandatory, properties, body)
}

func publish(to newapi.Publisher, exchange, routingKey string, mandatory bool, properties BasicProperties, body []byte) error {
	return newapi.BasicPublish(context.Background(), to, exchange, routingKey,
		ToStruct(properties), body, newapi.FlagsIf(mandatory, false))
}

// BasicAck acknowledges the delivery tag, and with multiple every earlier one
// of the channel.
//
// Deprecated: use [newapi.Channel.Ack], which is the same.
//
//go:fix inline
func (ch *Channel) BasicAck(tag uint64, multiple bool) error {
	return ch.Ack(tag, multiple)
}

// BasicNack refuses the delivery tag, and with multiple every earlier one of
// the channel. With requeue the broker delivers it again, else it drops it or
// dead-letters it.
//
// Deprecated: use [newapi.Channel.Nack], which is the same.
//
//go:fix inline
func (ch *Channel) BasicNack(tag uint64, multiple, requeue bool) error {
	return ch.Nack(tag, multiple, requeue)
}

// BasicReject refuses the delivery tag. With requeue the broker delivers it
// again, else it drops it or dead-letters it.
//
// Deprecated: use [newapi.Channel.Reject], which is the same.
//
//go:fix inline
func (ch *Channel) BasicReject(tag uint64, requeue bool) error {
	return ch.Reject(tag, requeue)
}
