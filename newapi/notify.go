package newapi

import (
	"sync"
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
)

// feed hands values to a user's chan, in order, without ever making the sender
// wait. As long as the chan has room a value costs no goroutine; the first that
// does not fit starts one, which ends when the backlog is gone.
type feed[T any] struct {
	out   chan T
	quit  <-chan struct{} // once closed, the receiver's time is limited
	grace time.Duration   // to this, for each value
	limit int             // of the backlog; 0: none
	taken func(T)         // called for each value that leaves the backlog; may be nil

	mu       sync.Mutex
	backlog  []T
	pumping  bool
	finished bool
}

// send reports whether the value was queued behind others because the chan had
// no room.
func (f *feed[T]) send(v T) (queued bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		return false
	}
	if !f.pumping {
		select {
		case f.out <- v:
			return false
		default:
		}
		f.pumping = true
		go f.pump()
	}
	if f.limit > 0 && len(f.backlog) >= f.limit {
		return false
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
		close(f.out)
	}
}

func (f *feed[T]) pump() {
	deliver := f.deliver
	var batch []T
	for {
		f.mu.Lock()
		if len(f.backlog) == 0 {
			f.pumping = false
			f.backlog = nil
			if f.finished {
				close(f.out)
			}
			f.mu.Unlock()
			return
		}
		clear(batch)
		batch, f.backlog = f.backlog, batch[:0]
		f.mu.Unlock()
		for _, v := range batch {
			if !deliver(v) {
				deliver = func(T) bool { return false } // the rest is given up too
			}
			if f.taken != nil {
				f.taken(v)
			}
		}
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
	return &listener[T]{
		feed:    feed[T]{out: out, quit: closing, grace: noticeGrace, limit: noticeBacklog},
		closing: closing,
	}
}

func (l *listener[T]) close() {
	l.once.Do(func() { close(l.closing) })
	l.finish()
}

// notices is what listeners send to: a listener, or one that is converted for.
type notices[T any] interface {
	send(T) (queued bool)
	close()
}

// converted is a listener whose chan has another type.
type converted[T, U any] struct {
	to      *listener[U]
	convert func(T) U
}

func (c converted[T, U]) send(v T) bool { return c.to.send(c.convert(v)) }
func (c converted[T, U]) close()        { c.to.close() }

// listeners is the set of one kind of listener.
type listeners[T any] struct {
	mu     sync.Mutex
	all    []notices[T]
	closed bool
}

// add registers a user's chan and returns it. After close the chan is closed at
// once.
func (ls *listeners[T]) add(out chan T) chan T {
	ls.register(newListener(out))
	return out
}

func (ls *listeners[T]) register(l notices[T]) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.closed {
		l.close()
		return
	}
	ls.all = append(ls.all, l)
}

func (ls *listeners[T]) send(v T) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for _, l := range ls.all {
		l.send(v)
	}
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
