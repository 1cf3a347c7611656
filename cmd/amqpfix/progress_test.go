package main

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

// A syncBuffer is a buffer that tells when it is written to.
type syncBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	wrote chan struct{}
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.wrote <- struct{}{}:
	default:
	}
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestProgressShowsOneLineAndErasesIt(t *testing.T) {
	w := &syncBuffer{wrote: make(chan struct{}, 1)}
	p := startProgress(w, 0, time.Millisecond)
	p.step(driver.Progress{Step: "analysing", Done: 3, Total: 20})
	for !strings.Contains(w.String(), "amqpfix: analysing 3/20") {
		<-w.wrote
	}
	p.step(driver.Progress{Step: "listing packages"})
	for !strings.HasSuffix(w.String(), eraseLine+"amqpfix: listing packages") {
		<-w.wrote
	}
	p.stop()
	got := w.String()
	if !strings.HasSuffix(got, eraseLine) {
		t.Errorf("not erased: %q", got)
	}
	if strings.Contains(got, "\n") {
		t.Errorf("more than one line: %q", got)
	}
}

func TestProgressOfAShortRunShowsNothing(t *testing.T) {
	w := &syncBuffer{wrote: make(chan struct{}, 1)}
	p := startProgress(w, time.Hour, time.Millisecond)
	p.step(driver.Progress{Step: "analysing"})
	p.stop()
	if got := w.String(); got != "" {
		t.Errorf("%q", got)
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for _, to := range []any{w, new(bytes.Buffer)} {
		p := newProgress(to.(interface{ Write([]byte) (int, error) }))
		p.step(driver.Progress{Step: "analysing"})
		p.stop()
		if p.w != nil {
			t.Errorf("progress on %T", to)
		}
	}
}
