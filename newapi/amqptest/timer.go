package amqptest

import "time"

// timer is a function call to come. All its methods need the server's lock.
type timer struct {
	server *Server
	clock  *time.Timer
	over   bool // fired or stopped
}

// after calls f once d has passed, with the server's lock held. Server.Close
// waits for calls that have begun. The caller holds the server's lock.
func (s *Server) after(d time.Duration, f func()) *timer {
	t := &timer{server: s}
	s.running.Add(1)
	t.clock = time.AfterFunc(d, func() {
		defer s.running.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		if !t.over {
			t.over = true
			f()
		}
	})
	return t
}

// stop cancels the call. A nil timer, and one that is over, may be stopped.
func (t *timer) stop() {
	if t == nil || t.over {
		return
	}
	t.over = true
	if t.clock.Stop() {
		t.server.running.Done()
	}
}

// isOver reports whether no call is to come.
func (t *timer) isOver() bool { return t == nil || t.over }
