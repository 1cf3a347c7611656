package newapi

import (
	"context"
	"io"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

const (
	// highWater is how many admitted octets may wait for the socket. A publish
	// that finds more waits for admission; control frames do not.
	highWater = 128 << 10
	// largeBody is from where a body is not copied into the pending buffer but
	// handed to the kernel where it lies.
	largeBody = 64 << 10
	// retainedBuffer is the largest pending buffer kept for reuse.
	retainedBuffer = 1 << 20
	// controlLimit bounds control frames that a peer provokes without reading
	// what they cause.
	controlLimit = 16 << 20
	// vectorBody is how much of a large body one writev takes: after each, the
	// watch for stalled writes sees progress.
	vectorBody = 256 << 10
	// sweepsPerTimeout is how finely a publish timeout is measured.
	sweepsPerTimeout = 8
)

// writer owns the sending half of a connection: it decides in which order
// messages reach the socket, and who writes them.
//
// Whoever has the socket (busy) takes everything admitted so far and writes it
// with the lock released. A plain publish that finds the socket free takes it
// itself; one that does not waits in line, and is written together with the
// others in line by the first of them, to whom the socket is handed. A deferred
// or buffered publish is appended to pending at once, and the flusher goroutine
// writes. So a write is shared by all who arrive while another is under way, a
// publisher that is still in line can leave without a trace, and nothing is
// encoded before its place on the wire is certain.
type writer struct {
	conn      io.Writer
	vectored  bool          // conn is a socket: net.Buffers becomes writev
	frameMax  int           // negotiated, counts the whole frame; 0: no limit
	buffered  bool          // Config.Buffered
	timeout   time.Duration // Config.PublishTimeout; 0: none
	onFailure func(error)   // called once, without the lock, when a write fails

	mu       sync.Mutex
	pending  []byte      // whole frames in their final order
	sharing  []*waiter   // whose frames are in pending
	plain    waitQueue   // in line to be written; nothing of them is encoded yet
	admit    waitQueue   // deferred and buffered publishes that found no room
	busy     bool        // somebody has the socket
	blocked  bool        // connection.blocked: no publish is admitted
	closing  bool        // connection.close or close-ok is in pending: nothing may follow
	parted   bool        // close-ok is
	err      error       // sticky
	writes   uint64      // completed, for heartbeats and the watch for stalls
	spare    []byte      // the other buffer
	writing  []*waiter   // whose frames are being written
	shared   atomic.Bool // the last write was for more than who wrote it; set with mu
	vector   net.Buffers // a large body between its frame headers and ends
	out      net.Buffers // what of vector is left to write
	frames   []byte      // those frame headers and ends
	sweeper  *time.Timer
	sweeping bool
	sweep    uint64 // counts sweeps: a clock for waiters that costs them nothing
	stalled  uint64 // sweeps without progress
	seen     uint64 // writes at the last sweep

	wake    chan struct{} // to the flusher, capacity 1
	idle    bool          // the flusher sleeps
	stopped chan struct{} // closed when the flusher has ended
}

// waiter is a publisher that waits: in line, for admission, or for a write.
type waiter struct {
	ready    chan struct{} // capacity 1
	channel  *Channel
	message  EncodedMessage
	deferred *DeferredConfirmation
	err      error
	since    uint64 // sweep at which it began to wait
	queue    *waitQueue
	next     *waiter
	prev     *waiter
	leads    bool // it has been handed the socket
}

var waiterPool = sync.Pool{New: func() any { return &waiter{ready: make(chan struct{}, 1)} }}

func (wt *waiter) free() {
	*wt = waiter{ready: wt.ready}
	waiterPool.Put(wt)
}

// finish ends the wait. The writer does not touch wt after it.
func (wt *waiter) finish(err error) {
	if err != nil {
		wt.err = err
	}
	wt.ready <- struct{}{}
}

// waitQueue is first come, first served.
type waitQueue struct{ first, last *waiter }

func (q *waitQueue) push(wt *waiter) {
	wt.queue, wt.prev, wt.next = q, q.last, nil
	if q.last != nil {
		q.last.next = wt
	} else {
		q.first = wt
	}
	q.last = wt
}

func (q *waitQueue) remove(wt *waiter) {
	if wt.prev != nil {
		wt.prev.next = wt.next
	} else {
		q.first = wt.next
	}
	if wt.next != nil {
		wt.next.prev = wt.prev
	} else {
		q.last = wt.prev
	}
	wt.queue, wt.prev, wt.next = nil, nil, nil
}

func newWriter(conn io.Writer, config Config, onFailure func(error)) *writer {
	w := &writer{
		conn:      conn,
		frameMax:  wire.FrameMinSize,
		buffered:  config.Buffered,
		timeout:   config.PublishTimeout,
		onFailure: onFailure,
		wake:      make(chan struct{}, 1),
		stopped:   make(chan struct{}),
	}
	switch conn.(type) {
	case *net.TCPConn, *net.UnixConn:
		w.vectored = true
	}
	go w.flush()
	return w
}

// publish sends one message on ch. It returns when the message's octets are with
// the kernel or, if m is deferred on a confirming channel and not to be Written,
// or the connection is buffered, when it is admitted. Until then ctx and the
// timeout can end the wait, and nothing of the message is sent.
func (w *writer) publish(ctx context.Context, ch *Channel, m *EncodedMessage) (*DeferredConfirmation, error) {
	w.mu.Lock()
	if err := w.refusal(ch); err != nil {
		w.mu.Unlock()
		return nil, err
	}
	if w.isDoneAtAdmission(ch, m) && len(m.Body) < largeBody {
		if w.isFull() {
			return w.await(ctx, ch, m, &w.admit)
		}
		d, err := w.append(ch, m)
		w.nudge()
		w.mu.Unlock()
		return d, err
	}
	if w.isTaken() {
		return w.await(ctx, ch, m, &w.plain)
	}
	w.busy = true
	w.gather()
	d, err := w.lead(ch, m)
	w.mu.Unlock()
	return d, err
}

// isDoneAtAdmission reports whether the publish of m returns when it is admitted,
// and not only when it is written.
func (w *writer) isDoneAtAdmission(ch *Channel, m *EncodedMessage) bool {
	return w.buffered || m.Deferred && !m.Written && ch.confirming.Load()
}

// isFull reports whether a publish that returns at admission has to wait for it.
func (w *writer) isFull() bool {
	return w.blocked || w.admit.first != nil || len(w.pending) >= highWater
}

// isTaken reports whether a publish that is to be written has to wait in line.
func (w *writer) isTaken() bool { return w.busy || w.blocked || w.plain.first != nil }

// gather lets others join the coming write, if the last one was shared: those
// whose messages it wrote are about to publish again. The caller holds the lock
// and has the socket.
func (w *writer) gather() {
	if w.shared.Load() {
		w.mu.Unlock()
		runtime.Gosched()
		w.mu.Lock()
	}
}

// refusal tells why ch, or the connection itself, may not send now. The lock is
// held.
func (w *writer) refusal(ch *Channel) error {
	if w.err != nil || w.closing || ch != nil && ch.silenced {
		return ErrClosed
	}
	return nil
}

func (w *writer) setFrameMax(frameMax int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.frameMax = frameMax
}

// await puts the publisher in line and releases the lock.
func (w *writer) await(ctx context.Context, ch *Channel, m *EncodedMessage, q *waitQueue) (*DeferredConfirmation, error) {
	wt := waiterPool.Get().(*waiter)
	wt.channel, wt.message, wt.since = ch, *m, w.sweep
	q.push(wt)
	w.watch()
	w.mu.Unlock()

	select {
	case <-wt.ready:
	case <-ctx.Done():
		w.mu.Lock()
		if wt.queue != nil {
			wt.queue.remove(wt)
			w.mu.Unlock()
			wt.free()
			return nil, ctx.Err()
		}
		w.mu.Unlock()
		<-wt.ready // its octets are being written, or it has been handed the socket
		if wt.leads {
			w.mu.Lock()
			w.pass()
			w.mu.Unlock()
			wt.free()
			return nil, ctx.Err()
		}
	}
	d, err := wt.deferred, wt.err
	if wt.leads {
		w.mu.Lock()
		w.gather()
		d, err = w.lead(ch, m)
		w.mu.Unlock()
	}
	wt.free()
	return d, err
}

// lead admits the caller's own message, then those in line, and writes. The
// caller holds the lock and has the socket; after lead it has neither message
// nor socket left.
func (w *writer) lead(ch *Channel, m *EncodedMessage) (*DeferredConfirmation, error) {
	if err := w.refusal(ch); err != nil {
		w.pass()
		return nil, err
	}
	var d *DeferredConfirmation
	var err error
	if len(m.Body) >= largeBody {
		var wrote error
		if d, wrote, err = w.writeLarge(ch, m); wrote != nil {
			err = wrote
		}
	} else if d, err = w.append(ch, m); err == nil {
		err = w.writePending()
	} else {
		w.pass()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// append adds a whole message to pending and, in confirm mode, gives it its tag.
func (w *writer) append(ch *Channel, m *EncodedMessage) (*DeferredConfirmation, error) {
	dst, err := w.appendHead(w.pending, ch, m)
	if err != nil {
		return nil, err
	}
	w.pending = wire.AppendBody(dst, ch.id, m.Body, w.frameMax)
	return ch.published(m), nil
}

func (w *writer) appendHead(dst []byte, ch *Channel, m *EncodedMessage) ([]byte, error) {
	if ch.lacksPlace(m) {
		return dst, errNoPlace
	}
	out, err := wire.AppendBasicPublish(dst, ch.id, m.Exchange, m.RoutingKey, m.Flags&Mandatory != 0, m.Flags&Immediate != 0)
	if err != nil {
		return dst, err
	}
	return wire.AppendContentHeader(out, ch.id, uint64(len(m.Body)), m.Header), nil
}

// collect admits those in line whose message may share the next write.
func (w *writer) collect() {
	for !w.blocked && len(w.pending) < 2*highWater {
		wt := w.plain.first
		if wt == nil || len(wt.message.Body) >= largeBody {
			return
		}
		w.plain.remove(wt)
		err := w.refusal(wt.channel)
		if err == nil {
			wt.deferred, err = w.append(wt.channel, &wt.message)
		}
		if err != nil {
			wt.finish(err)
			continue
		}
		w.sharing = append(w.sharing, wt)
	}
}

// take empties pending into buf; writing names those who wait for it.
func (w *writer) take() (buf []byte) {
	buf, w.pending = w.pending, w.spare[:0]
	w.spare = nil
	w.writing, w.sharing = w.sharing, w.writing[:0]
	w.shared.Store(len(w.writing) > 0)
	w.watch()
	return buf
}

// writePending writes what is admitted, and hands the socket on. The caller
// holds the lock, which is released during the write, and has the socket.
func (w *writer) writePending() error {
	w.collect()
	buf := w.take()
	w.mu.Unlock()
	var err error
	if len(buf) > 0 { // a drain may wait behind nothing
		err = w.writeAll(buf)
	}
	w.mu.Lock()
	return w.wrote(buf, err)
}

// writeAll does not trust a transport of the user's own to report a short write.
func (w *writer) writeAll(buf []byte) error {
	n, err := w.conn.Write(buf)
	if err == nil && n < len(buf) {
		err = io.ErrShortWrite
	}
	return err
}

// wrote settles those who shared a write and hands the socket on.
func (w *writer) wrote(buf []byte, err error) error {
	w.writes++
	if cap(buf) <= retainedBuffer {
		w.spare = buf
	}
	if err != nil {
		err = w.fail(err)
	}
	for i, wt := range w.writing {
		wt.finish(err)
		w.writing[i] = nil
	}
	w.writing = w.writing[:0]
	w.pass()
	return err
}

// pass gives the socket to the next in line, or puts it down. The lock is held.
func (w *writer) pass() {
	w.busy = false
	if w.err != nil {
		return
	}
	for wt := w.admit.first; wt != nil && !w.blocked && len(w.pending) < highWater; wt = w.admit.first {
		w.admit.remove(wt)
		err := w.refusal(wt.channel)
		if err == nil {
			wt.deferred, err = w.append(wt.channel, &wt.message)
		}
		wt.finish(err)
	}
	if wt := w.plain.first; wt != nil && !w.blocked {
		w.plain.remove(wt)
		w.busy = true
		wt.leads = true
		wt.finish(nil)
		return
	}
	w.nudge()
}

// nudge wakes the flusher if there is something to write and nobody at it.
func (w *writer) nudge() {
	if w.idle && !w.busy && (len(w.pending) > 0 || len(w.sharing) > 0) {
		w.idle = false
		w.wake <- struct{}{}
	}
}

// flush is the flusher goroutine: it writes what nobody else is there to write.
func (w *writer) flush() {
	defer close(w.stopped)
	w.mu.Lock()
	defer w.mu.Unlock()
	yielded := false
	for {
		switch {
		case w.err != nil:
			return
		case w.busy, len(w.pending) == 0 && len(w.sharing) == 0:
			// Yield once before sleeping: publishers that are about to admit more
			// then need not wake this goroutine.
			if !yielded && !w.busy {
				yielded = true
				w.mu.Unlock()
				runtime.Gosched()
				w.mu.Lock()
				continue
			}
			yielded = false
			w.idle = true
			w.mu.Unlock()
			<-w.wake
			w.mu.Lock()
		default:
			yielded = false
			w.busy = true
			_ = w.writePending() // a failure is sticky and reported by fail
		}
	}
}

// control appends a method that is not held to the high-water mark, without
// waiting. The connection's reader may call it.
func (w *writer) control(channel uint16, m wire.Method) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.appendControl(channel, m)
}

func (w *writer) appendControl(channel uint16, m wire.Method) error {
	if w.err != nil || w.closing {
		return ErrClosed
	}
	if len(w.pending) > controlLimit {
		return w.fail(&Error{Code: ResourceError, Reason: "the broker does not read what it asks for"})
	}
	dst, err := wire.AppendMethod(w.pending, channel, m)
	if err != nil {
		return err
	}
	w.pending = dst
	w.nudge()
	return nil
}

// heartbeat sends a heartbeat unless something was written since the last call.
func (w *writer) heartbeat(last uint64) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && !w.closing && !w.busy && w.writes == last && len(w.pending) == 0 {
		w.pending = wire.AppendHeartbeat(w.pending)
		w.nudge()
		return w.writes + 1 // which the heartbeat itself will make it
	}
	return w.writes
}

// send appends octets that encode produces and returns when they are with the
// kernel. It takes no part in admission: acknowledgements and calls go on while
// publishes wait.
func (w *writer) send(ch *Channel, encode func(dst []byte) ([]byte, error)) error {
	w.mu.Lock()
	if err := w.refusal(ch); err != nil {
		w.mu.Unlock()
		return err
	}
	dst, err := encode(w.pending)
	if err != nil {
		w.mu.Unlock()
		return err
	}
	w.pending = dst
	return w.written()
}

// written returns when what is pending is with the kernel. It releases the lock.
func (w *writer) written() error {
	if !w.busy {
		w.busy = true
		err := w.writePending()
		w.mu.Unlock()
		return err
	}
	wt := waiterPool.Get().(*waiter)
	w.sharing = append(w.sharing, wt)
	w.mu.Unlock()
	<-wt.ready
	err := wt.err
	wt.free()
	return err
}

// drain returns when everything admitted so far is with the kernel.
func (w *writer) drain(ctx context.Context) error {
	w.mu.Lock()
	if w.err != nil {
		w.mu.Unlock()
		return ErrClosed
	}
	if !w.busy && len(w.pending) == 0 {
		w.mu.Unlock()
		return nil
	}
	wt := &waiter{ready: make(chan struct{}, 1)} // not pooled: ctx may leave it behind
	w.sharing = append(w.sharing, wt)
	w.nudge()
	w.mu.Unlock()
	select {
	case <-wt.ready:
		return wt.err
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		if i := slices.Index(w.sharing, wt); i >= 0 {
			w.sharing = slices.Delete(w.sharing, i, i+1)
		}
		return ctx.Err()
	}
}

// silence ends sending on ch after last, the close or close-ok method, in one
// step: no publish can come between. Publishers of ch in line are turned away.
// It reports false, and sends nothing, if ch is silent already.
func (w *writer) silence(ch *Channel, last wire.Method) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ch.silenced {
		return false
	}
	ch.silenced = true
	if last != nil {
		_ = w.appendControl(ch.id, last) // refused only when the connection is gone too
	}
	for _, q := range []*waitQueue{&w.plain, &w.admit} {
		for wt := q.first; wt != nil; {
			next := wt.next
			if wt.channel == ch {
				q.remove(wt)
				wt.finish(ErrClosed)
			}
			wt = next
		}
	}
	return true
}

// hangUp appends connection.close or close-ok. Nothing may follow it, but for one
// close-ok after a close that crossed the broker's.
func (w *writer) hangUp(last wire.Method) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, answers := last.(*wire.ConnectionCloseOk)
	if w.parted || w.closing && !answers {
		return ErrClosed
	}
	w.closing = false
	err := w.appendControl(0, last)
	w.closing, w.parted = true, answers
	w.turnAway(ErrClosed)
	return err
}

func (w *writer) setBlocked(blocked bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blocked = blocked
	w.stalled = 0
	if !blocked && !w.busy {
		w.pass()
	}
}

// fail ends the writer and reports why. The lock is held.
func (w *writer) fail(err error) error {
	if w.end(err) {
		go w.onFailure(err)
	}
	return w.err
}

// end makes the first error sticky and turns everybody away. What was pending
// is never sent. The lock is held.
func (w *writer) end(err error) bool {
	if w.err != nil {
		return false
	}
	w.err = err
	w.pending, w.spare = nil, nil
	w.turnAway(err)
	// Those who share a write that is under way need not wait for a transport
	// that does not return.
	for _, waiting := range [][]*waiter{w.sharing, w.writing} {
		for _, wt := range waiting {
			wt.finish(err)
		}
	}
	w.sharing, w.writing = nil, nil
	if w.idle {
		w.idle = false
		w.wake <- struct{}{}
	}
	if w.sweeper != nil {
		w.sweeper.Stop()
	}
	return true
}

func (w *writer) turnAway(err error) {
	for _, q := range []*waitQueue{&w.plain, &w.admit} {
		for wt := q.first; wt != nil; wt = q.first {
			q.remove(wt)
			wt.finish(err)
		}
	}
}

// stop ends the writer; err is what those who wait are told.
func (w *writer) stop(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(err)
}

// watch sees to it that sweeps happen while somebody writes or waits.
func (w *writer) watch() {
	if w.timeout <= 0 || w.sweeping {
		return
	}
	w.sweeping = true
	w.stalled, w.seen = 0, w.writes
	if w.sweeper == nil {
		w.sweeper = time.AfterFunc(w.sweepInterval(), w.sweepWaiters)
	} else {
		w.sweeper.Reset(w.sweepInterval())
	}
}

// sweepWaiters ends waits that have lasted for the timeout, and the connection
// if one write has made no progress for that long although the broker did not
// block it: what is half-written can never be completed or taken back.
func (w *writer) sweepWaiters() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	w.sweep++
	for _, q := range []*waitQueue{&w.plain, &w.admit} {
		for wt := q.first; wt != nil && w.sweep-wt.since > sweepsPerTimeout; wt = q.first {
			q.remove(wt)
			wt.finish(ErrPublishTimeout)
		}
	}
	if w.seen != w.writes || !w.busy || w.blocked {
		w.seen, w.stalled = w.writes, 0
	} else if w.stalled++; w.stalled > sweepsPerTimeout {
		_ = w.fail(&Error{Code: ResourceError, Reason: "write stalled for " + w.timeout.String() + ": the broker does not read"})
		return
	}
	w.sweeping = w.busy || w.plain.first != nil || w.admit.first != nil
	if w.sweeping {
		w.sweeper.Reset(w.sweepInterval())
	}
}

// sweepInterval is never so short that a goroutine that merely waits for a
// processor counts as stalled.
func (w *writer) sweepInterval() time.Duration {
	return max(w.timeout/sweepsPerTimeout, 5*time.Millisecond)
}
