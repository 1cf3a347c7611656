package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// contentHeaderSize is class id, weight and body size, the part of a content
// header before the properties (section 4.2.6.1).
const contentHeaderSize = 2 + 2 + 8

// ContentHeader is the payload of a content header frame.
type ContentHeader struct {
	ClassID  uint16 // always ClassBasic
	BodySize uint64 // octets of body to come, in all body frames together
	// Properties holds the property flags and the property list, validated:
	// a view into the parsed payload, made for Flags and Property.
	Properties []byte
}

// ParseContentHeader decodes the payload of a content header frame and
// validates its properties as ValidateProperties does. It does not allocate
// unless there is an error, and keeps a view into payload.
//
// Octets after the last property are left out: some peers pad. A class other
// than basic, the only one with content, is an error wrapping ErrFrame;
// anything else that does not decode wraps ErrSyntax.
func ParseContentHeader(payload []byte) (ContentHeader, error) {
	if len(payload) < contentHeaderSize+2 {
		return ContentHeader{}, syntaxErrorf(0, "content header of %d octets where at least %d are needed", len(payload), contentHeaderSize+2)
	}
	class := binary.BigEndian.Uint16(payload)
	if class != ClassBasic {
		return ContentHeader{}, fmt.Errorf("%w: content header of class %d at offset 0: only class %d carries content", ErrFrame, class, ClassBasic)
	}
	end, err := skipProperties(payload, contentHeaderSize)
	if err != nil {
		return ContentHeader{}, err
	}
	return ContentHeader{
		ClassID:    class,
		BodySize:   binary.BigEndian.Uint64(payload[4:]),
		Properties: payload[contentHeaderSize:end:end],
	}, nil
}

// AppendContentHeader appends a whole content header frame of class basic.
// properties holds property flags and list as ValidateProperties accepts them;
// empty means no property. They are copied as they are.
func AppendContentHeader(dst []byte, channel uint16, bodySize uint64, properties []byte) []byte {
	size := contentHeaderSize + max(len(properties), 2)
	dst = slices.Grow(dst, size+FrameOverhead)
	dst = AppendFrameHeader(dst, FrameHeader, channel, size)
	dst = append(dst, byte(ClassBasic>>8), byte(ClassBasic&0xff), 0, 0)
	dst = binary.BigEndian.AppendUint64(dst, bodySize)
	if len(properties) == 0 {
		dst = append(dst, 0, 0)
	}
	dst = append(dst, properties...)
	return append(dst, FrameEnd)
}

// BeginContentHeader appends the frame header and all of a content header that
// comes before the properties. The caller appends these, at least their flags, and
// then calls EndFrame.
func BeginContentHeader(dst []byte, channel uint16, bodySize uint64) []byte {
	dst, b := extend(dst, FrameHeaderSize+contentHeaderSize)
	putFrameHeader(b, FrameHeader, channel, 0)
	binary.BigEndian.PutUint32(b[7:], ClassBasic<<16) // and the weight, which is 0
	binary.BigEndian.PutUint64(b[11:], bodySize)
	return dst
}

// EndFrame ends a frame that began at dst[start] with the size 0: it sets the size
// and appends FrameEnd.
func EndFrame(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start+3:], uint32(len(dst)-start-FrameHeaderSize))
	return append(dst, FrameEnd)
}

// AppendBody appends body as body frames of at most frameMax octets each,
// FrameOverhead included; 0 means no limit. A frame carries at least one octet
// of body, and an empty body has no frame.
func AppendBody(dst []byte, channel uint16, body []byte, frameMax int) []byte {
	if len(body) <= frameMax-FrameOverhead && len(body) > 0 {
		dst, b := extend(dst, len(body)+FrameOverhead)
		putFrameHeader(b, FrameBody, channel, len(body))
		copy(b[FrameHeaderSize:], body)
		b[len(b)-1] = FrameEnd
		return dst
	}
	return appendFrames(dst, channel, body, frameMax)
}

func appendFrames(dst []byte, channel uint16, body []byte, frameMax int) []byte {
	chunk := math.MaxInt32 // what is left of a frame's 32-bit size on any machine
	if frameMax > 0 {
		chunk = max(frameMax-FrameOverhead, 1)
	}
	frames := len(body) / chunk
	if len(body)%chunk != 0 {
		frames++
	}
	dst = slices.Grow(dst, len(body)+frames*FrameOverhead)
	for len(body) > 0 {
		n := min(len(body), chunk)
		dst = AppendFrameHeader(dst, FrameBody, channel, n)
		dst = append(dst, body[:n]...)
		dst = append(dst, FrameEnd)
		body = body[n:]
	}
	return dst
}
