package newapi

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// noticeGrace is how long a listener that has notices left may take to
	// receive each of them once its channel or connection has ended.
	noticeGrace = 5 * time.Second
	// noticeBacklog is how many notices wait for a listener that does not
	// receive. What comes after those is dropped for that listener, so that an
	// abandoned one costs bounded memory and never holds up the connection.
	noticeBacklog = 1 << 16
	// returnBacklog is the same bound for returned messages, in octets; the first
	// that waits may be larger.
	returnBacklog = 16 << 20
)

// feed hands values to a user's chan, in order, without ever making the sender
// wait. As long as the chan has room a value costs no goroutine; the first that
// does not fit starts one, which ends when the backlog is gone.
type feed[T any] struct {
	out   chan T
	quit  <-chan struct{} // once closed, the receiver's time is limited
	grace time.Duration   // to this, for each value
	limit int             // of the backlog; 0: none
	room  int64           // of the backlog, in octets
	taken func(T)         // called for each value that leaves the backlog; may be nil
	last  func() bool     // reports whether the chan is to be closed at the end; nil: it is

	mu       sync.Mutex
	backlog  []T
	notes    []note // one for each value in backlog, if limit is set
	octets   int64  // in backlog, and taken from it but not yet delivered
	pumping  bool
	finished bool
	late     atomic.Bool // somebody has waited for the receiver in vain; nobody does again
}

// note is what the backlog of a feed with a limit holds beside a value.
type note struct {
	octets int64
	after  []mark        // to be reached before the value is delivered
	mark   chan struct{} // if it is a mark in place of a value: to be closed
}

// mark is a place in the backlog of a feed. It is reached when all before it has
// been delivered.
type mark struct {
	reached <-chan struct{}
	late    *atomic.Bool
}

// mark marks the end of the backlog. It reports false if there is none, or if its
// receiver has been found to take no part.
func (f *feed[T]) mark() (mark, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.pumping || f.late.Load() {
		return mark{}, false
	}
	if n := len(f.notes); n > 0 && f.notes[n-1].mark != nil {
		return mark{f.notes[n-1].mark, &f.late}, true
	}
	reached := make(chan struct{})
	var none T
	f.backlog = append(f.backlog, none)
	f.notes = append(f.notes, note{mark: reached})
	return mark{reached, &f.late}, true
}

// send reports whether the value, which holds so many octets that count, was
// queued behind others because the chan had no room.
func (f *feed[T]) send(v T, octets int64) (queued bool) { return f.sendAfter(v, octets, nil) }

// sendAfter is send for a value that comes after what other feeds have to deliver.
func (f *feed[T]) sendAfter(v T, octets int64, after []mark) (queued bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		return false
	}
	if !f.pumping && len(after) > 0 {
		f.pumping = true
		go f.pump()
	} else if !f.pumping {
		select {
		case f.out <- v:
			return false
		default:
		}
		f.pumping = true
		go f.pump()
	}
	if f.limit > 0 {
		if len(f.backlog) >= f.limit || f.octets > 0 && f.octets+octets > f.room {
			return false
		}
		f.notes = append(f.notes, note{octets: octets, after: after})
		f.octets += octets
	}
	f.backlog = append(f.backlog, v)
	return true
}

// finish closes the chan once the backlog is delivered or given up.
func (f *feed[T]) finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		return
	}
	f.finished = true
	if !f.pumping {
		f.closeOut()
	}
}

func (f *feed[T]) closeOut() {
	if f.last == nil || f.last() {
		close(f.out)
	}
}

func (f *feed[T]) pump() {
	deliver := f.deliver
	var batch []T
	var notes []note
	for {
		f.mu.Lock()
		if len(f.backlog) == 0 {
			f.pumping = false
			f.backlog, f.notes = nil, nil
			if f.finished {
				f.closeOut()
			}
			f.mu.Unlock()
			return
		}
		clear(batch)
		clear(notes)
		batch, f.backlog = f.backlog, batch[:0]
		notes, f.notes = f.notes, notes[:0]
		f.mu.Unlock()
		for i, v := range batch {
			var n note
			if len(notes) > 0 {
				n = notes[i]
			}
			if n.mark != nil {
				close(n.mark)
				continue
			}
			for _, m := range n.after {
				f.await(m)
			}
			if !deliver(v) {
				deliver = func(T) bool { return false } // the rest is given up too
			}
			if f.taken != nil {
				f.taken(v)
			}
			if n.octets > 0 {
				f.mu.Lock()
				f.octets -= n.octets
				f.mu.Unlock()
			}
		}
	}
}

// await waits until m is reached, but not for ever: who receives from one chan
// only would wait for himself.
func (f *feed[T]) await(m mark) {
	select {
	case <-m.reached:
		return
	default:
	}
	timer := time.NewTimer(noticeGrace)
	defer timer.Stop()
	select {
	case <-m.reached:
	case <-timer.C:
		m.late.Store(true)
	}
}

func (f *feed[T]) deliver(v T) bool {
	select {
	case f.out <- v:
		return true
	case <-f.quit:
	}
	if f.grace == 0 {
		return false
	}
	timer := time.NewTimer(f.grace)
	defer timer.Stop()
	select {
	case f.out <- v:
		return true
	case <-timer.C:
		return false
	}
}

// listener is the feed of a Notify chan: when it is closed, what is left is
// delivered within the grace period.
type listener[T any] struct {
	feed[T]
	closing chan struct{}
	once    sync.Once
}

func newListener[T any](out chan T) *listener[T] {
	closing := make(chan struct{})
	noticed.join(out)
	return &listener[T]{
		feed: feed[T]{
			out: out, quit: closing, grace: noticeGrace, limit: noticeBacklog, room: returnBacklog,
			last: func() bool { return noticed.leave(out) },
		},
		closing: closing,
	}
}

func (l *listener[T]) to() any { return l.out }

func (l *listener[T]) close() {
	l.once.Do(func() { close(l.closing) })
	l.finish()
}

// notices is what listeners send to: a listener, or one that is converted for.
type notices[T any] interface {
	sendAfter(v T, octets int64, after []mark) (queued bool)
	mark() (mark, bool)
	close()
	to() any // the chan
}

// converted is a listener whose chan has another type.
type converted[T, U any] struct {
	*listener[U]
	convert func(T) U
}

func (c converted[T, U]) sendAfter(v T, octets int64, after []mark) bool {
	return c.listener.sendAfter(c.convert(v), octets, after)
}

// listeners is the set of one kind of listener.
type listeners[T any] struct {
	mu     sync.Mutex
	all    []notices[T]
	closed bool
}

// add registers a user's chan and returns it. After close the chan is closed at
// once. A nil chan is ignored, and so is one that is registered already.
func (ls *listeners[T]) add(out chan T) chan T {
	if out != nil {
		ls.register(out, func() notices[T] { return newListener(out) })
	}
	return out
}

// register makes the listener of a chan, unless out has one here.
func (ls *listeners[T]) register(out any, listener func() notices[T]) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.all {
		if l.to() == out {
			return
		}
	}
	l := listener()
	if ls.closed {
		l.close()
		return
	}
	ls.all = append(ls.all, l)
}

func (ls *listeners[T]) send(v T) { ls.sendAfter(v, 0, nil) }

// sendSized is send for a notice whose octets count.
func (ls *listeners[T]) sendSized(v T, octets int64) { ls.sendAfter(v, octets, nil) }

// sendAfter is sendSized for a notice that comes after others of another kind.
func (ls *listeners[T]) sendAfter(v T, octets int64, after []mark) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.all {
		l.sendAfter(v, octets, after)
	}
}

// marks appends the marks of those listeners that have not received everything.
func (ls *listeners[T]) marks(to []mark) []mark {
	if ls == nil {
		return to
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.all {
		if m, behind := l.mark(); behind {
			to = append(to, m)
		}
	}
	return to
}

func (ls *listeners[T]) close() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.closed = true
	for _, l := range ls.all {
		l.close()
	}
	ls.all = nil
}

// chanUsers counts who sends to a user's chan, since only the last of them may
// close it: one chan may be registered with several channels and connections.
type chanUsers struct {
	mu    sync.Mutex
	count map[any]int
}

// noticed holds the chans that are registered with a Notify method now.
var noticed = chanUsers{count: make(map[any]int)}

func (u *chanUsers) join(out any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.count[out]++
}

// leave reports whether nobody is left.
func (u *chanUsers) leave(out any) (last bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.count[out]--; u.count[out] > 0 {
		return false
	}
	delete(u.count, out)
	return true
}
