package wire

import (
	"encoding/binary"
	"slices"
)

// The functions here are the frames that a busy connection is made of. They
// write and read the same bytes as the method structs, without an interface
// and without an allocation.

// AppendBasicPublish appends a whole basic.publish method frame. An exchange
// or routing key longer than 255 octets is an error that wraps a
// *ShortstrError; nothing is appended then.
func AppendBasicPublish(dst []byte, channel uint16, exchange, routingKey string, mandatory, immediate bool) ([]byte, error) {
	if len(exchange) > maxShortstr || len(routingKey) > maxShortstr {
		return dst, publishError(exchange, routingKey)
	}
	const fixed = 4 + 2 + 1 + 1 + 1 // method id, reserved, two lengths, bits
	size := fixed + len(exchange) + len(routingKey)
	dst = slices.Grow(dst, size+FrameOverhead)
	dst = AppendFrameHeader(dst, FrameMethod, channel, size)
	dst = appendMethodID(dst, IDBasicPublish)
	dst = append(dst, 0, 0, byte(len(exchange)))
	dst = append(dst, exchange...)
	dst = append(dst, byte(len(routingKey)))
	dst = append(dst, routingKey...)
	return append(dst, bit(mandatory, 0)|bit(immediate, 1), FrameEnd), nil
}

// publishError says which of the two strings is too long, as the method
// struct's encoder does.
func publishError(exchange, routingKey string) error {
	m := BasicPublish{Exchange: exchange, RoutingKey: routingKey}
	_, err := AppendMethod(nil, 0, &m)
	return err
}

// AppendBasicAck appends a whole basic.ack method frame.
func AppendBasicAck(dst []byte, channel uint16, tag uint64, multiple bool) []byte {
	return appendTagged(dst, channel, IDBasicAck, tag, bit(multiple, 0))
}

// AppendBasicNack appends a whole basic.nack method frame.
func AppendBasicNack(dst []byte, channel uint16, tag uint64, multiple, requeue bool) []byte {
	return appendTagged(dst, channel, IDBasicNack, tag, bit(multiple, 0)|bit(requeue, 1))
}

// AppendBasicReject appends a whole basic.reject method frame.
func AppendBasicReject(dst []byte, channel uint16, tag uint64, requeue bool) []byte {
	return appendTagged(dst, channel, IDBasicReject, tag, bit(requeue, 0))
}

// appendTagged appends a method frame of a delivery tag and an octet of bits.
func appendTagged(dst []byte, channel uint16, id MethodID, tag uint64, bits byte) []byte {
	const size = 4 + 8 + 1
	dst = slices.Grow(dst, size+FrameOverhead)
	dst = AppendFrameHeader(dst, FrameMethod, channel, size)
	dst = appendMethodID(dst, id)
	dst = binary.BigEndian.AppendUint64(dst, tag)
	return append(dst, bits, FrameEnd)
}

// bit returns an octet whose bit number n is set when b is.
func bit(b bool, n int) byte {
	if b {
		return 1 << n
	}
	return 0
}

// DeliverView is a basic.deliver whose strings are views into the bytes it
// was parsed from.
type DeliverView struct {
	ConsumerTag, Exchange, RoutingKey []byte
	DeliveryTag                       uint64
	Redelivered                       bool
}

// ParseBasicDeliver decodes the arguments of a basic.deliver (what
// ParseMethodID leaves) without an allocation. Errors wrap ErrSyntax.
func ParseBasicDeliver(arguments []byte) (DeliverView, error) {
	d := decoder{src: arguments}
	v := DeliverView{
		ConsumerTag: d.shortstrBytes(),
		DeliveryTag: d.longlong(),
	}
	d.bits(&v.Redelivered)
	v.Exchange = d.shortstrBytes()
	v.RoutingKey = d.shortstrBytes()
	return v, d.finish()
}
