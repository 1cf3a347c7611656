package main

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"
)

// settled is a future that notes when it is waited for.
type settled struct {
	id   int
	ack  bool
	seen *[]int
}

func (s *settled) Wait() bool {
	*s.seen = append(*s.seen, s.id)
	return s.ack
}

func TestWindowWaitsForTheOldest(t *testing.T) {
	var seen []int
	w := window[*settled]{futures: make([]*settled, 2)}
	for id := 1; id <= 3; id++ {
		if err := w.add(&settled{id, true, &seen}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{1}; !reflect.DeepEqual(seen, want) {
		t.Errorf("with 3 futures in a window of 2, waited for %v, want %v", seen, want)
	}
	if err := w.settle(); err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 2, 3}; !reflect.DeepEqual(seen, want) {
		t.Errorf("at the end, waited for %v, want %v", seen, want)
	}
	if err := w.settle(); err != nil || len(seen) != 3 {
		t.Errorf("settling again: %v, waited for %v", err, seen)
	}
}

func TestWindowReportsWhatWasNotConfirmed(t *testing.T) {
	var seen []int
	w := window[*settled]{futures: make([]*settled, 1)}
	if err := w.add(&settled{1, false, &seen}); err != nil {
		t.Fatal(err)
	}
	if err := w.add(&settled{2, false, &seen}); !errors.Is(err, errNotConfirmed) {
		t.Errorf("adding behind a refused message: %v", err)
	}
	if err := w.settle(); !errors.Is(err, errNotConfirmed) {
		t.Errorf("settling a refused message: %v", err)
	}
}

func TestWorkersShareTheOperations(t *testing.T) {
	for _, n := range []int{1, 3, 100, 101} {
		var published, finished atomic.Int64
		p := &publishing{}
		for i := 0; i < 3; i++ {
			p.workers = append(p.workers, worker{
				publish: func(context.Context) error { published.Add(1); return nil },
				finish:  func() error { finished.Add(1); return nil },
			})
		}
		if err := p.Run(n); err != nil || published.Load() != int64(n) || finished.Load() != 3 {
			t.Errorf("Run(%d): %v, %d operations, %d workers finished", n, err, published.Load(), finished.Load())
		}
	}
}

func TestErrorsOfWorkersAreReported(t *testing.T) {
	failed := errors.New("failed")
	for name, w := range map[string]worker{
		"publish": {publish: func(context.Context) error { return failed }},
		"finish":  {publish: func(context.Context) error { return nil }, finish: func() error { return failed }},
	} {
		p := &publishing{workers: []worker{w, w}}
		if err := p.Run(2); !errors.Is(err, failed) {
			t.Errorf("%s fails: Run: %v", name, err)
		}
		if err := p.RunFor(time.Millisecond, new(callTimes)); !errors.Is(err, failed) {
			t.Errorf("%s fails: RunFor: %v", name, err)
		}
	}
}
