package newapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// PublishFlag holds the options of one publish; combine them with |.
type PublishFlag uint8

const (
	// Mandatory asks the broker to send a message back that it can route to no
	// queue. Channel.NotifyReturn sees it, and so does the confirmation of a
	// BasicPublishDeferred.
	Mandatory PublishFlag = 1 << iota

	// Immediate asks for a message back that no consumer takes at once.
	// RabbitMQ 3 and later do not have it: they close the connection with
	// NotImplemented (540).
	Immediate
)

// FlagsIf returns the flags for which the argument is true: the two booleans
// that amqp091-go's publish methods take, in their order.
func FlagsIf(mandatory, immediate bool) PublishFlag {
	var flags PublishFlag
	if mandatory {
		flags |= Mandatory
	}
	if immediate {
		flags |= Immediate
	}
	return flags
}

// Has reports whether f holds every flag of p.
func (f PublishFlag) Has(p PublishFlag) bool { return f&p == p }

// String names the flags, such as "Mandatory|Immediate"; no flag is "none".
func (f PublishFlag) String() string {
	if f == 0 {
		return "none"
	}
	var names []string
	if f.Has(Mandatory) {
		names = append(names, "Mandatory")
	}
	if f.Has(Immediate) {
		names = append(names, "Immediate")
	}
	if rest := f &^ (Mandatory | Immediate); rest != 0 {
		names = append(names, fmt.Sprintf("%#x", uint8(rest)))
	}
	return strings.Join(names, "|")
}

// EncodedMessage is one message on its way from BasicPublish to a Publisher.
type EncodedMessage struct {
	Exchange   string // at most 255 bytes
	RoutingKey string // at most 255 bytes
	Flags      PublishFlag
	Deferred   bool // whether the caller wants a DeferredConfirmation

	// Written, with Deferred, asks to return only when the message is with the
	// kernel, as a publish that is not deferred does. It is for code that was
	// written for amqp091-go's PublishWithDeferredConfirm.
	Written bool

	// Header holds the property flags and the property list of the content
	// header (specification 4.2.6.1). It is valid until PublishEncoded
	// returns.
	Header []byte

	// Body is the caller's slice. The caller may change it when PublishEncoded
	// has returned.
	Body []byte

	reserved bool // it has a place among the channel's unconfirmed messages
}

// Properties checks Header and returns a copy of it to read from, which stays
// valid: a fake Publisher sees by it what a receiver would.
func (m EncodedMessage) Properties() (ReadOnlyBasicProperties, error) {
	return ReadOnly(encodedHeader(m.Header))
}

// encodedHeader is an AMQPHeader that has been written already.
type encodedHeader []byte

func (h encodedHeader) AppendHeader(dst []byte) ([]byte, error) { return append(dst, h...), nil }

// Publisher is what BasicPublish publishes to: a *Channel, a channel of
// package compat, middleware around either, or a fake in a test.
//
// A fake sees what is published and can fail it, but it cannot settle a
// DeferredConfirmation: it returns a nil one. What depends on a nack, a returned
// message or a confirmation that is still out is tested against a server of package
// amqptest: NackNext refuses messages, HoldConfirms and ReleaseConfirms keep
// confirmations back, and a Mandatory message that no queue takes is returned.
type Publisher interface {
	// PublishEncoded publishes one message whose properties are encoded. It
	// must not keep m.Header or m.Body once it has returned, nor change them.
	//
	// The confirmation is for m.Deferred and for a channel in confirm mode; a
	// nil one is valid and means there is nothing to wait for.
	PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error)
}

// BasicPublish publishes body with properties to an exchange of ch. It returns
// nil when the message has been written to the connection, which is not yet
// the broker's word; that is what confirm mode is for (Channel.Confirm,
// BasicPublishDeferred).
//
// What cannot be sent is refused before anything is written, and ch stays
// open: an exchange, a routing key or a string property of more than 255
// bytes, a header value without a form in AMQP, an AMQPHeader whose bytes are
// not a property list, a header above the connection's frame size. Any other
// error is that of ch.PublishEncoded.
//
// ctx bounds the wait for the connection; a nil ctx is context.Background().
// properties, body and what they refer to are only read, and belong to the
// caller again when BasicPublish returns. A nil *BasicProperties publishes
// without properties. BasicPublish may be called from any number of goroutines
// if ch may; *Channel may.
//
// It allocates nothing for the property types of this package, given a *Channel
// whose buffers have grown to their working size.
func BasicPublish[P AMQPHeader](ctx context.Context, ch Publisher, exchange, routingKey string, properties P, body []byte, flags ...PublishFlag) error {
	_, err := publish(ctx, ch, EncodedMessage{
		Exchange:   exchange,
		RoutingKey: routingKey,
		Flags:      fold(flags),
		Body:       body,
	}, &properties)
	return err
}

// BasicPublishDeferred is BasicPublish for a channel in confirm mode: it
// returns as soon as the message is admitted to the connection, with the
// future of the broker's answer.
//
// On a channel that is not in confirm mode the future is nil, and its methods
// answer at once as for a success, though nothing was confirmed: Result is nil,
// Wait and Acked are true. A forgotten Channel.Confirm shows in nothing but the
// nil future.
func BasicPublishDeferred[P AMQPHeader](ctx context.Context, ch Publisher, exchange, routingKey string, properties P, body []byte, flags ...PublishFlag) (*DeferredConfirmation, error) {
	return publish(ctx, ch, EncodedMessage{
		Exchange:   exchange,
		RoutingKey: routingKey,
		Flags:      fold(flags),
		Deferred:   true,
		Body:       body,
	}, &properties)
}

// fold makes one value of the variadic flags; handed to the Publisher as a
// slice they would have to be allocated.
func fold(flags []PublishFlag) PublishFlag {
	var folded PublishFlag
	for _, flag := range flags {
		folded |= flag
	}
	return folded
}

// publish encodes the properties, before any lock is taken and while nothing
// has been written, and hands the message on.
func publish[P AMQPHeader](ctx context.Context, ch Publisher, m EncodedMessage, properties *P) (*DeferredConfirmation, error) {
	if err := m.check(ch); err != nil {
		return nil, err
	}
	ctx = orBackground(ctx)
	channel, isChannel := ch.(*Channel)
	if isChannel {
		if p, ok := any(properties).(*BasicProperties); ok {
			if d, done, err := channel.publishNow(ctx, &m, p); done {
				return d, err
			}
		}
	}
	s := scratches.Get().(*scratch)
	header, err := encodeHeader(s, properties)
	if err != nil {
		s.recycle(0)
		return nil, err
	}
	m.Header = header
	var confirmation *DeferredConfirmation
	if isChannel { // which need not check the header again
		confirmation, err = channel.publishEncoded(ctx, &m)
	} else {
		confirmation, err = ch.PublishEncoded(ctx, m)
	}
	s.recycle(len(header))
	return confirmation, err
}

// orBackground lets a nil ctx stand for context.Background().
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

var errNilPublisher = errors.New("newapi: publish on a nil Publisher")

func (m *EncodedMessage) check(ch Publisher) error {
	if ch == nil {
		return errNilPublisher
	}
	if unknown := m.Flags &^ (Mandatory | Immediate); unknown != 0 {
		return fmt.Errorf("newapi: unknown PublishFlag %v; there are Mandatory and Immediate", unknown)
	}
	if len(m.Exchange) <= maxShortstr && len(m.RoutingKey) <= maxShortstr {
		return nil
	}
	if err := checkShortstr("exchange", m.Exchange); err != nil {
		return err
	}
	return checkShortstr("routing key", m.RoutingKey)
}
