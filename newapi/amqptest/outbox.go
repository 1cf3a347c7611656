package amqptest

import (
	"net"
	"sync"
)

// outboxMark is how many octets may wait for a client before its connection
// gets no more deliveries and none of its requests is read.
const outboxMark = 4 << 20

// outbox is what waits to be written to one client, so that nobody but its own
// goroutine ever waits for that client.
type outbox struct {
	socket net.Conn
	gate   *gate         // while it is shut nothing is written
	gone   chan struct{} // closed when the connection is to end without delay
	drain  func()        // called without locks when there is room again for one who asked

	mu      sync.Mutex
	wake    *sync.Cond // pending, finished or failed changed
	pending []byte
	wrote   bool // since the last call of beat
	asked   bool // full said true since the last drain
	ended   bool // no more is accepted: write what is pending, then end
	failed  bool // a write failed: nothing is written any more
}

func newOutbox(socket net.Conn, gate *gate, gone chan struct{}) *outbox {
	o := &outbox{socket: socket, gate: gate, gone: gone}
	o.wake = sync.NewCond(&o.mu)
	return o
}

// add lets encode append frames to what is pending. What encode appends is
// contiguous on the wire. After an error nothing is added.
func (o *outbox) add(encode func(dst []byte) ([]byte, error)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended || o.failed {
		return nil
	}
	encoded, err := encode(o.pending)
	if err != nil {
		return err
	}
	o.pending = encoded
	o.wake.Broadcast()
	return nil
}

// full reports whether the client has fallen behind. One who is told so gets a
// call of drain once it has caught up.
func (o *outbox) full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pending) < outboxMark {
		return false
	}
	o.asked = true
	return true
}

// room waits until the client has caught up or cannot any more.
func (o *outbox) room() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) >= outboxMark && !o.ended && !o.failed {
		o.wake.Wait()
	}
}

// idle reports whether nothing was written since it was asked last.
func (o *outbox) idle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	wrote := o.wrote
	o.wrote = false
	return !wrote && len(o.pending) == 0
}

// end lets run return once everything pending is written.
func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.wake.Broadcast()
}

// run writes until the outbox has ended or a write fails.
func (o *outbox) run() {
	var batch []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.ended {
			o.wake.Wait()
		}
		if len(o.pending) == 0 {
			o.mu.Unlock()
			return
		}
		o.pending, batch = batch[:0], o.pending
		asked := o.asked
		o.asked = false
		o.wrote = true
		o.wake.Broadcast()
		o.mu.Unlock()

		ok := o.gate.pass(o.gone)
		if ok {
			_, err := o.socket.Write(batch)
			ok = err == nil
		}
		if !ok {
			o.mu.Lock()
			o.failed = true
			o.pending = nil
			o.wake.Broadcast()
			o.mu.Unlock()
			o.socket.Close() // so that the reader ends too
			return
		}
		if asked {
			o.drain()
		}
		if cap(batch) > 2*outboxMark {
			batch = nil
		}
	}
}
