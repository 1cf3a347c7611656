package amqptest

import (
	"bufio"
	"io"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// readBuffer is how much of a client's stream is read at once.
const readBuffer = 16 << 10

// frameReader cuts a client's stream into frames.
type frameReader struct {
	r        *bufio.Reader
	frameMax int    // the largest frame that is taken, in octets, overhead included
	buf      []byte // payload and end octet of the last frame; reused
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{r: bufio.NewReaderSize(r, readBuffer), frameMax: serverFrameMax}
}

// protocolHeader reads the eight octets that open a connection and reports
// whether they ask for AMQP 0-9-1.
func (f *frameReader) protocolHeader() (ok bool, err error) {
	var header [len(wire.ProtocolHeader)]byte
	if _, err := io.ReadFull(f.r, header[:]); err != nil {
		return false, err
	}
	return string(header[:]) == wire.ProtocolHeader, nil
}

// next returns the next frame. Its payload is valid until next is called
// again. The error is an exception for what is no frame or too large a one,
// before anything is allocated for it; any other error means that the stream
// has ended.
func (f *frameReader) next() (wire.Frame, error) {
	header, err := f.r.Peek(wire.FrameHeaderSize)
	if err != nil {
		return wire.Frame{}, err
	}
	typ, channel, size, err := wire.ParseFrameHeader(header, f.frameMax)
	if err != nil {
		return wire.Frame{}, malformed(err)
	}
	if _, err := f.r.Discard(wire.FrameHeaderSize); err != nil {
		return wire.Frame{}, err
	}
	if cap(f.buf) < size+1 {
		f.buf = make([]byte, size+1)
	}
	f.buf = f.buf[:size+1]
	if _, err := io.ReadFull(f.r, f.buf); err != nil {
		return wire.Frame{}, err
	}
	if end := f.buf[size]; end != wire.FrameEnd {
		return wire.Frame{}, connectionError(amqp091.FrameError, "octet %#02x where the frame ends with %#02x", end, wire.FrameEnd)
	}
	return wire.Frame{Type: typ, Channel: channel, Payload: f.buf[:size:size]}, nil
}

// discard reads on to the end of the stream.
func (f *frameReader) discard() { _, _ = io.Copy(io.Discard, f.r) }
