package amqptest

import (
	"fmt"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// tap reads along with what one client sends and picks out what it publishes.
type tap struct {
	connection int
	record     func(Published)

	greeted  bool
	pending  []byte // the beginning of what is not complete yet
	contents map[uint16]*assembly
	err      error // why it stopped reading
}

func newTap(connection int, record func(Published)) *tap {
	return &tap{connection: connection, record: record, contents: make(map[uint16]*assembly)}
}

// feed takes the next octets of the stream, which it does not keep. After an
// error it takes nothing more, as where the next frame would begin is unknown.
func (t *tap) feed(octets []byte) error {
	if t.err != nil {
		return t.err
	}
	t.pending = append(t.pending, octets...)
	rest := t.pending
	for t.err == nil {
		n := t.next(rest)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	t.pending = append(t.pending[:0], rest...)
	return t.err
}

// next takes what src begins with and returns its length, 0 if it is not
// complete.
func (t *tap) next(src []byte) int {
	if !t.greeted {
		if len(src) < len(wire.ProtocolHeader) {
			return 0
		}
		if header := src[:len(wire.ProtocolHeader)]; string(header) != wire.ProtocolHeader {
			t.err = fmt.Errorf("the client began with %q, not with AMQP 0-9-1", header)
			return 0
		}
		t.greeted = true
		return len(wire.ProtocolHeader)
	}
	f, n, err := wire.ParseFrame(src, 0) // the broker watches over frame_max
	if err == nil && n > 0 {
		err = t.take(f)
	}
	t.err = err
	return n
}

func (t *tap) take(f wire.Frame) error {
	content := t.contents[f.Channel]
	if content == nil {
		content = &assembly{}
		t.contents[f.Channel] = content
	}
	switch f.Type {
	case wire.FrameMethod:
		id, arguments, err := wire.ParseMethodID(f.Payload)
		if err != nil {
			return err
		}
		switch id {
		case wire.IDBasicPublish:
			m := new(wire.BasicPublish)
			if err := m.DecodeArguments(arguments); err != nil {
				return err
			}
			content.begin(m)
		case wire.IDChannelOpen, wire.IDChannelClose, wire.IDChannelCloseOk:
			*content = assembly{} // what was not finished never will be
		}
		return nil
	case wire.FrameHeader:
		if err := content.header(f.Payload); err != nil {
			return err
		}
	case wire.FrameBody:
		if err := content.more(f.Payload); err != nil {
			return err
		}
	}
	if content.complete() {
		t.record(newPublished(t.connection, f.Channel, content.take()))
	}
	return nil
}
