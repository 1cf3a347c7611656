package newapi

import (
	"math"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// writeLarge writes what is pending and then a message with a large body, whose
// octets go to the kernel from where the caller holds them. The caller holds the
// lock, which is released during the write, and has the socket.
//
// err says why the message was refused before anything of it was written, wrote
// why writing failed.
func (w *writer) writeLarge(ch *Channel, m *EncodedMessage) (d *DeferredConfirmation, wrote, err error) {
	buf, err := w.appendHead(w.pending, ch, m)
	if err != nil {
		w.pass()
		return nil, nil, err
	}
	w.pending = buf
	d = ch.published(m)
	buf = w.take()
	w.mu.Unlock()
	if w.vectored {
		wrote = w.writeVectors(buf, ch.id, m.Body)
	} else {
		buf, wrote = w.writeCopies(buf, ch.id, m.Body)
	}
	w.mu.Lock()
	return d, w.wrote(buf, wrote), nil
}

// pieceSize is the largest payload of a body frame. Without a negotiated limit it
// is what a frame's 32-bit size can say on any machine.
func (w *writer) pieceSize() int {
	if w.frameMax <= 0 {
		return math.MaxInt32
	}
	return w.frameMax - wire.FrameOverhead
}

// writeVectors writes head and the body's frames with writev. Only whoever has
// the socket calls it, so vector and frames need no lock.
func (w *writer) writeVectors(head []byte, channel uint16, body []byte) error {
	size := w.pieceSize()
	vector := append(w.vector[:0], head)
	defer func() {
		clear(vector[:cap(vector)]) // do not keep the caller's body alive
		w.vector = vector[:0]
	}()
	pieces := len(body)/size + 1 // or one less
	if need := pieces * wire.FrameOverhead; cap(w.frames) < need {
		w.frames = make([]byte, 0, need)
	}
	frames := w.frames[:0]
	vectored := 0
	for len(body) > 0 {
		piece := body[:min(size, len(body))]
		body = body[len(piece):]
		start := len(frames)
		frames = wire.AppendFrameHeader(frames, wire.FrameBody, channel, len(piece))
		frames = append(frames, wire.FrameEnd)
		vector = append(vector, frames[start:len(frames)-1], piece, frames[len(frames)-1:])
		if vectored += len(piece); vectored >= vectorBody || len(body) == 0 {
			w.out = vector // WriteTo consumes its receiver
			if _, err := w.out.WriteTo(w.conn); err != nil {
				return err
			}
			vector, vectored = vector[:0], 0
			w.progress()
		}
	}
	return nil
}

// writeCopies does the same for a transport without writev, such as TLS, where
// many small writes would each become a record.
func (w *writer) writeCopies(head []byte, channel uint16, body []byte) ([]byte, error) {
	size := w.pieceSize()
	buf := head
	for len(body) > 0 {
		piece := body[:min(size, len(body))]
		body = body[len(piece):]
		buf = wire.AppendFrame(buf, wire.FrameBody, channel, piece)
		if len(buf) >= highWater || len(body) == 0 {
			if err := w.writeAll(buf); err != nil {
				return buf, err
			}
			buf = buf[:0]
			w.progress()
		}
	}
	return buf, nil
}

// progress tells the watch for stalled writes that octets have gone out.
func (w *writer) progress() {
	w.mu.Lock()
	w.writes++
	w.mu.Unlock()
}
