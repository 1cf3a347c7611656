// Package wire turns AMQP 0-9-1 frames, methods, content headers and field
// tables into bytes and back. It does no I/O, starts no goroutine and takes no
// lock: encoders append to a slice the caller owns, decoders read a slice the
// caller owns and report what is wrong with it.
//
// Nothing here panics on hostile input, and nothing allocates more than a
// small multiple of the bytes that are really there: a length is compared with
// what is left before it is believed.
package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Frame types of AMQP 0-9-1, section 2.3.5.
const (
	FrameMethod    uint8 = 1
	FrameHeader    uint8 = 2
	FrameBody      uint8 = 3
	FrameHeartbeat uint8 = 8
)

const (
	// FrameEnd is the octet that ends every frame.
	FrameEnd = 0xCE
	// FrameHeaderSize is the size of type, channel and payload length.
	FrameHeaderSize = 7
	// FrameOverhead is what a frame adds to its payload: header and end octet.
	FrameOverhead = FrameHeaderSize + 1
	// FrameMinSize is the smallest frame_max that a peer may negotiate.
	FrameMinSize = 4096
	// ProtocolHeader opens a connection.
	ProtocolHeader = "AMQP\x00\x00\x09\x01"
)

// Frame is one frame; Payload is a view into the bytes it was parsed from.
type Frame struct {
	Type    uint8
	Channel uint16
	Payload []byte
}

// ParseFrameHeader reads the seven octets before a frame's payload; size is
// the payload's size in octets, without the frame-end octet.
//
// frameMax bounds the whole frame, FrameOverhead included, as in
// connection.tune; 0 means no limit. A frame above it is an error wrapping
// ErrFrameTooLarge. An unknown type, a heartbeat with a payload or on a channel
// other than 0, or fewer than FrameHeaderSize octets are errors wrapping
// ErrFrame. Nothing is allocated unless there is an error.
func ParseFrameHeader(src []byte, frameMax int) (typ uint8, channel uint16, size int, err error) {
	if len(src) < FrameHeaderSize {
		return 0, 0, 0, fmt.Errorf("%w: %d octets where a frame header needs %d", ErrFrame, len(src), FrameHeaderSize)
	}
	typ = src[0]
	channel = binary.BigEndian.Uint16(src[1:])
	n := binary.BigEndian.Uint32(src[3:])

	switch typ {
	case FrameMethod, FrameHeader, FrameBody:
	case FrameHeartbeat:
		if channel != 0 || n != 0 {
			return 0, 0, 0, fmt.Errorf("%w: heartbeat with %d octets on channel %d: it has no payload and belongs to channel 0", ErrFrame, n, channel)
		}
	default:
		return 0, 0, 0, fmt.Errorf("%w: unknown type %d at offset 0", ErrFrame, typ)
	}

	whole := uint64(n) + FrameOverhead
	if frameMax > 0 && whole > uint64(frameMax) {
		return 0, 0, 0, fmt.Errorf("%w: %d octets on channel %d where at most %d were agreed", ErrFrameTooLarge, whole, channel, frameMax)
	}
	if whole > math.MaxInt {
		return 0, 0, 0, fmt.Errorf("%w: %d octets on channel %d do not fit this machine's memory", ErrFrameTooLarge, whole, channel)
	}
	return typ, channel, int(n), nil
}

// ParseFrame reads the frame that src begins with and returns it with the
// number of octets it occupies. When src ends before the frame does, n is 0
// and err is nil: call again with more. f.Payload is a view into src.
//
// Errors are those of ParseFrameHeader, reported as soon as the header is
// there, and a missing frame-end octet.
func ParseFrame(src []byte, frameMax int) (f Frame, n int, err error) {
	if len(src) < FrameHeaderSize {
		return Frame{}, 0, nil
	}
	typ, channel, size, err := ParseFrameHeader(src, frameMax)
	if err != nil {
		return Frame{}, 0, err
	}
	if len(src)-FrameOverhead < size {
		return Frame{}, 0, nil
	}
	end := FrameHeaderSize + size
	if src[end] != FrameEnd {
		return Frame{}, 0, fmt.Errorf("%w: octet %#02x at offset %d where the frame ends with %#02x", ErrFrame, src[end], end, FrameEnd)
	}
	return Frame{Type: typ, Channel: channel, Payload: src[FrameHeaderSize:end:end]}, end + 1, nil
}

// AppendFrameHeader appends the seven octets before a payload of size octets.
// The caller appends the payload and FrameEnd.
func AppendFrameHeader(dst []byte, typ uint8, channel uint16, size int) []byte {
	return append(dst, typ,
		byte(channel>>8), byte(channel),
		byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
}

// putFrameHeader is AppendFrameHeader in place.
func putFrameHeader(b []byte, typ uint8, channel uint16, size int) {
	_ = b[6]
	b[0] = typ
	binary.BigEndian.PutUint16(b[1:], channel)
	binary.BigEndian.PutUint32(b[3:], uint32(size))
}

// extend makes dst n octets longer, and returns these too, to be overwritten.
func extend(dst []byte, n int) (longer, added []byte) {
	start := len(dst)
	dst = slices.Grow(dst, n)[:start+n]
	return dst, dst[start:]
}

// AppendFrame appends a whole frame.
func AppendFrame(dst []byte, typ uint8, channel uint16, payload []byte) []byte {
	dst = slices.Grow(dst, len(payload)+FrameOverhead)
	dst = AppendFrameHeader(dst, typ, channel, len(payload))
	dst = append(dst, payload...)
	return append(dst, FrameEnd)
}

// AppendHeartbeat appends a heartbeat frame (section 4.2.7).
func AppendHeartbeat(dst []byte) []byte {
	return append(dst, FrameHeartbeat, 0, 0, 0, 0, 0, 0, FrameEnd)
}
