package amqp091

import (
	"fmt"
	"sync"
	"time"
)

// stateGrace is how long a change of state waits for its reader. There is none
// but when the connection or channel ends. Tests shorten it.
var stateGrace = 5 * time.Second

// session is what a lifeCycle is told by: a connection or channel of newapi.
type session interface {
	IsClosed() bool
	NotifyClose(chan *Error) chan *Error
}

// lifeCycle follows one session from open by way of closing to closed, for those
// who asked to be told. A session that nobody asks about costs nothing. The zero
// value is open.
type lifeCycle struct {
	mu       sync.Mutex
	state    LifeCycleState
	watching bool
	states   []stateListener
	cancels  []chan struct{}
}

type stateListener struct {
	out   chan *StateChanged
	queue chan StateChanged // takes both changes that there can be
}

// closing is for a close that this side begins.
func (l *lifeCycle) closing() { l.change(StateChanged{To: StateClosing}) }

// change tells the listeners; one back is none.
func (l *lifeCycle) change(to StateChanged) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == to.To || l.state == StateClosed {
		return
	}
	to.From, l.state = l.state, to.To
	for _, s := range l.states {
		s.queue <- to
		if to.To == StateClosed {
			close(s.queue)
		}
	}
	for _, c := range l.cancels {
		close(c)
	}
	l.cancels = nil
}

func (l *lifeCycle) notify(s session, out chan *StateChanged) {
	if out == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.IsClosed() {
		close(out)
		return
	}
	for _, listener := range l.states {
		if listener.out == out {
			return
		}
	}
	listener := stateListener{out, make(chan StateChanged, 2)}
	l.states = append(l.states, listener)
	go listener.deliver()
	l.watch(s)
}

func (l *lifeCycle) notifyCancel(s session, c chan struct{}) {
	if c == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state != StateOpen || s.IsClosed() {
		close(c)
		return
	}
	l.cancels = append(l.cancels, c)
	l.watch(s)
}

// watch waits for the end of s. The lock is held.
func (l *lifeCycle) watch(s session) {
	if l.watching {
		return
	}
	l.watching = true
	ended := s.NotifyClose(make(chan *Error, 1))
	go func() {
		closed := StateChanged{To: StateClosed}
		if reason := <-ended; reason != nil {
			closed.Err = fmt.Errorf("amqp091: closed: %w", reason)
		}
		l.change(closed)
	}()
}

// deliver closes the chan after the last change, or when one finds no reader.
func (s stateListener) deliver() {
	defer close(s.out)
	for change := range s.queue {
		change := change
		timer := time.NewTimer(stateGrace)
		select {
		case s.out <- &change:
			timer.Stop()
		case <-timer.C:
			return
		}
	}
}
