package amqptest

import (
	"encoding/binary"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// eagerBody is how much memory a body gets because its header announced it;
// the rest it gets as it arrives.
const eagerBody = 64 << 10

// assembly puts the frames of one basic.publish together. The zero value
// expects the method.
type assembly struct {
	method     *wire.BasicPublish // nil: no publish has begun
	headed     bool               // the content header is there
	size       uint64             // of the body, as the header announced it
	properties []byte             // owned
	body       []byte             // owned
}

// begin takes the method.
func (a *assembly) begin(m *wire.BasicPublish) { *a = assembly{method: m} }

// active reports whether frames of a content are still to come.
func (a *assembly) active() bool { return a.method != nil }

// header takes the payload of a content header frame and keeps nothing of it.
func (a *assembly) header(payload []byte) error {
	if !a.active() {
		return connectionError(amqp091.UnexpectedFrame, "expected method frame, got content header frame instead")
	}
	if a.headed {
		return connectionError(amqp091.UnexpectedFrame, "expected content body, got content header frame instead")
	}
	if len(payload) >= 4 {
		class, weight := binary.BigEndian.Uint16(payload), binary.BigEndian.Uint16(payload[2:])
		if class != wire.ClassBasic {
			return connectionError(amqp091.UnexpectedFrame, "expected content header for class %d, got one for class %d instead", wire.ClassBasic, class)
		}
		if weight != 0 {
			return connectionError(amqp091.UnexpectedFrame, "expected content header of weight 0, got weight %d", weight)
		}
	}
	h, err := wire.ParseContentHeader(payload)
	if err != nil {
		return malformed(err)
	}
	const beforeProperties = 12
	if extra := len(payload) - beforeProperties - len(h.Properties); extra != 0 {
		return connectionError(amqp091.SyntaxError, "%d octets after the last property of the content header", extra)
	}
	a.headed = true
	a.size = h.BodySize
	a.properties = append([]byte{}, h.Properties...)
	a.body = make([]byte, 0, min(a.size, eagerBody))
	return nil
}

// more takes the payload of a body frame and keeps nothing of it.
func (a *assembly) more(payload []byte) error {
	switch {
	case !a.active():
		return connectionError(amqp091.UnexpectedFrame, "expected method frame, got content body frame instead")
	case !a.headed:
		return connectionError(amqp091.UnexpectedFrame, "expected content header for class %d, got content body frame instead", wire.ClassBasic)
	case uint64(len(payload)) > a.size-uint64(len(a.body)):
		return connectionError(amqp091.FrameError, "body frames carry at least %d octets, the content header announced %d", len(a.body)+len(payload), a.size)
	}
	a.body = append(a.body, payload...)
	return nil
}

// complete reports whether every octet of the content has arrived.
func (a *assembly) complete() bool {
	return a.headed && uint64(len(a.body)) == a.size
}

// take returns what was put together and expects the next method.
func (a *assembly) take() assembly {
	whole := *a
	*a = assembly{}
	return whole
}
