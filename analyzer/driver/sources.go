package driver

import (
	"os"
	"sync"
)

// sources holds the text of files as a run first read it, so that all of the
// run speaks of the same bytes.
type sources struct {
	mu   sync.Mutex
	text map[string][]byte
}

func newSources() *sources { return &sources{text: make(map[string][]byte)} }

// read returns the bytes of a file; they must not be changed.
func (s *sources) read(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if src, ok := s.text[name]; ok {
		return src, nil
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s.text[name] = src
	return src, nil
}
