// Package stamp hands out the ids and the times that go into messages.
package stamp

import (
	"fmt"
	"sync"
	"time"
)

// Source is what the services ask for the next id and for the time.
type Source interface {
	NewID() string
	Now() time.Time
}

// Sequence is a Source that counts, so that two runs of the same work make the
// same messages: ids are the prefix and a number, and each call of Now is one
// second after the one before. It may be used from several goroutines.
type Sequence struct {
	prefix string

	mu  sync.Mutex
	now time.Time
	ids int
}

// NewSequence returns a Sequence whose ids start with prefix and whose first
// Now is start.
func NewSequence(prefix string, start time.Time) *Sequence {
	return &Sequence{prefix: prefix, now: start}
}

// NewID returns prefix-1, prefix-2 and so on.
func (s *Sequence) NewID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids++
	return fmt.Sprintf("%s-%d", s.prefix, s.ids)
}

// Now returns the time and moves it on by a second.
func (s *Sequence) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now
	s.now = now.Add(time.Second)
	return now
}
