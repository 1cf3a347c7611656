package amqptest

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// maxPeriod is the longest time that RabbitMQ takes, in milliseconds: almost
// fifty days.
const maxPeriod = math.MaxUint32

// queuePolicy is what the arguments of a queue ask for.
type queuePolicy struct {
	ttl                  *time.Duration // x-message-ttl
	expires              *time.Duration // x-expires
	deadLetterExchange   *string        // x-dead-letter-exchange
	deadLetterRoutingKey *string        // x-dead-letter-routing-key
	maxLength            *int64         // x-max-length
	maxBytes             *int64         // x-max-length-bytes
	rejects              bool           // x-overflow: refuse what comes instead of dropping the head
	rejectsToDeadLetters bool
	singleActive         bool  // x-single-active-consumer
	maxPriority          uint8 // x-max-priority
}

// timeToLive is the shorter of the queue's and the message's; nil is for ever.
func (p *queuePolicy) timeToLive(m *message) *time.Duration {
	if p.ttl == nil || m.expiration != nil && *m.expiration < *p.ttl {
		return m.expiration
	}
	return p.ttl
}

// exceededBy reports whether that many ready messages, of so many octets in
// all their bodies, are more than the queue may hold.
func (p *queuePolicy) exceededBy(length, bytes int) bool {
	return p.maxLength != nil && int64(length) > *p.maxLength ||
		p.maxBytes != nil && int64(bytes) > *p.maxBytes
}

// queueArguments are the arguments that a queue declaration is checked for and
// compared by, in that order. Arguments with other names are ignored.
var queueArguments = []struct {
	name string
	read func(p *queuePolicy, value any) error
}{
	{"x-expires", func(p *queuePolicy, v any) error {
		d, err := readPeriod(v)
		if err == nil && d == 0 {
			err = errors.New("{value_zero,0}")
		}
		p.expires = &d
		return err
	}},
	{"x-message-ttl", func(p *queuePolicy, v any) error {
		d, err := readPeriod(v)
		p.ttl = &d
		return err
	}},
	{"x-dead-letter-exchange", func(p *queuePolicy, v any) error {
		s, err := readName(v)
		p.deadLetterExchange = &s
		return err
	}},
	{"x-dead-letter-routing-key", func(p *queuePolicy, v any) error {
		s, err := readName(v)
		p.deadLetterRoutingKey = &s
		return err
	}},
	{"x-max-length", func(p *queuePolicy, v any) error {
		n, err := readCount(v)
		p.maxLength = &n
		return err
	}},
	{"x-max-length-bytes", func(p *queuePolicy, v any) error {
		n, err := readCount(v)
		p.maxBytes = &n
		return err
	}},
	{"x-overflow", func(p *queuePolicy, v any) error {
		s, err := readName(v)
		switch s {
		case amqp091.QueueOverflowDropHead:
		case amqp091.QueueOverflowRejectPublish:
			p.rejects = true
		case amqp091.QueueOverflowRejectPublishDLX:
			p.rejects, p.rejectsToDeadLetters = true, true
		default:
			if err == nil {
				err = errors.New("invalid_overflow")
			}
		}
		return err
	}},
	{"x-max-priority", func(p *queuePolicy, v any) error {
		n, err := readCount(v)
		if err == nil && n > math.MaxUint8 {
			err = fmt.Errorf("{max_value_exceeded,%d}", n)
		}
		p.maxPriority = uint8(n)
		return err
	}},
	{"x-single-active-consumer", func(p *queuePolicy, v any) error {
		b, ok := v.(bool)
		if !ok {
			return fmt.Errorf("\"expected boolean, got %s\"", fieldTypeName(v))
		}
		p.singleActive = b
		return nil
	}},
	{"x-queue-type", func(_ *queuePolicy, v any) error {
		s, err := readName(v)
		switch s {
		case amqp091.QueueTypeClassic, amqp091.QueueTypeQuorum:
		case amqp091.QueueTypeStream:
			err = connectionError(amqp091.NotImplemented, "amqptest has no streams; use a classic or quorum queue")
		default:
			if err == nil {
				err = fmt.Errorf("\"unsupported queue type '%s'\"", s)
			}
		}
		return err
	}},
	{"x-delivery-limit", func(*queuePolicy, any) error {
		return connectionError(amqp091.NotImplemented, "amqptest does not count deliveries; declare the queue without x-delivery-limit")
	}},
	{"x-queue-mode", func(_ *queuePolicy, v any) error { _, err := readName(v); return err }},
}

// errWrongType is returned by readers of arguments that must be strings.
var errWrongType = errors.New("wrong type")

// newQueuePolicy reads the arguments of a queue declaration.
func (v *vhost) newQueuePolicy(queue string, arguments newapi.Table) (queuePolicy, error) {
	var p queuePolicy
	for _, a := range queueArguments {
		value, ok := arguments[a.name]
		if !ok {
			continue
		}
		err := a.read(&p, value)
		switch {
		case err == nil:
		case asException(err) != nil:
			return p, err
		case errors.Is(err, errWrongType):
			return p, channelError(amqp091.PreconditionFailed, "invalid type '%s' for arg '%s' in queue '%s' in vhost '%s'", fieldTypeName(value), a.name, queue, v.name)
		default:
			return p, v.invalidArgument(a.name, queue, err)
		}
	}
	if p.deadLetterRoutingKey != nil && p.deadLetterExchange == nil {
		return p, v.invalidArgument("x-dead-letter-routing-key", queue, errors.New("routing_key_but_no_dlx_defined"))
	}
	return p, nil
}

// invalidArgument is the exception for an argument, of a queue or of a consumer
// of it, that cannot be what it says.
func (v *vhost) invalidArgument(argument, queue string, reason error) error {
	return channelError(amqp091.PreconditionFailed, "invalid arg '%s' for queue '%s' in vhost '%s': %v", argument, queue, v.name, reason)
}

// sameArguments compares those arguments of a declaration that matter
// with those of the queue that is there.
func (q *queue) sameArguments(arguments newapi.Table) error {
	received, current := withQueueType(arguments), withQueueType(q.arguments)
	for _, a := range queueArguments {
		if err := inequivalent(a.name, "queue", q.name, q.vhost.name, received, current); err != nil {
			return err
		}
	}
	return nil
}

// withQueueType returns the arguments with the type that a queue has if they
// name none.
func withQueueType(arguments newapi.Table) newapi.Table {
	if _, ok := arguments[amqp091.QueueTypeArg]; ok {
		return arguments
	}
	typed := newapi.Table{amqp091.QueueTypeArg: amqp091.QueueTypeClassic}
	for name, value := range arguments {
		typed[name] = value
	}
	return typed
}

// inequivalent is the exception for an argument that differs between the
// declaration and what is there; nil if it does not.
func inequivalent(argument, kind, name, vhost string, received, current newapi.Table) error {
	got, has := received[argument]
	have, had := current[argument]
	if has == had && (!has || sameValue(got, have)) {
		return nil
	}
	described := func(value any, present bool) string {
		switch {
		case !present:
			return "none"
		case has && had:
			return fmt.Sprintf("'%v'", value)
		}
		return fmt.Sprintf("the value '%v' of type '%s'", value, fieldTypeName(value))
	}
	return channelError(amqp091.PreconditionFailed, "inequivalent arg '%s' for %s '%s' in vhost '%s': received %s but current is %s",
		argument, kind, name, vhost, described(got, has), described(have, had))
}

// inequivalentFlag is inequivalent for a bit of the declaration.
func inequivalentFlag(flag, kind, name, vhost string, received, current bool) error {
	if received == current {
		return nil
	}
	return channelError(amqp091.PreconditionFailed, "inequivalent arg '%s' for %s '%s' in vhost '%s': received '%t' but current is '%t'",
		flag, kind, name, vhost, received, current)
}

// readName reads an argument that names something: a string that a method can
// carry.
func readName(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", errWrongType
	}
	if len(s) > 255 {
		return "", fmt.Errorf("%d octets where at most 255 fit", len(s))
	}
	return s, nil
}

// readInteger reads an argument that is a number.
func readInteger(v any) (int64, error) {
	n, ok := integer(v)
	if !ok {
		return 0, fmt.Errorf("\"expected integer, got %s\"", fieldTypeName(v))
	}
	return n, nil
}

// readCount reads an argument that is a number from 0 on.
func readCount(v any) (int64, error) {
	n, err := readInteger(v)
	if n < 0 {
		err = fmt.Errorf("{value_negative,%d}", n)
	}
	return n, err
}

// readPeriod reads an argument that is a number of milliseconds.
func readPeriod(v any) (time.Duration, error) {
	n, err := readCount(v)
	if err == nil && n > maxPeriod {
		return 0, fmt.Errorf("{value_too_large,%d}", n)
	}
	return time.Duration(n) * time.Millisecond, err
}

// parseExpiration reads the expiration property: milliseconds in decimal
// digits.
func parseExpiration(s string) (time.Duration, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || n > maxPeriod:
		return 0, channelError(amqp091.PreconditionFailed, "invalid expiration '%s': value_too_large", s)
	case err != nil:
		return 0, channelError(amqp091.PreconditionFailed, "invalid expiration '%s': no_integer", s)
	case n < 0:
		return 0, channelError(amqp091.PreconditionFailed, "invalid expiration '%s': {value_negative,%d}", s, n)
	}
	return time.Duration(n) * time.Millisecond, nil
}
