package main

import (
	"errors"
	"fmt"
	"runtime"
	"sort"
	"time"
)

// comparison is one thing that both sides can do.
type comparison struct {
	name       string
	peer, ours func() (subject, error)
}

// subject is one side of a comparison, connected and ready.
type subject interface {
	// Run performs n operations and returns when they are done.
	Run(n int) error
	// Sent returns the number of octets sent so far.
	Sent() int64
	// Close ends what the subject opened.
	Close() error
}

// sample is what one round of one side took.
type sample struct {
	elapsed time.Duration
	allocs  uint64
	octets  int64
}

// side is a subject under the name that errors call it by, with its samples.
type side struct {
	name string
	open func() (subject, error)
	subject
	samples []sample
}

// measure runs n operations on a collected heap.
func (s *side) measure(n int) (sample, error) {
	runtime.GC()
	var before, after runtime.MemStats
	sent := s.Sent()
	runtime.ReadMemStats(&before)
	start := time.Now()
	err := s.Run(n)
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w", s.name, err)
	}
	return sample{elapsed, after.Mallocs - before.Mallocs, s.Sent() - sent}, nil
}

// maxOperations bounds a round whatever the clock says.
const maxOperations = 100_000_000

// calibrate returns how many operations take at least as long as least.
func (s *side) calibrate(least time.Duration) (int, error) {
	for n := 100; ; {
		got, err := s.measure(n)
		if err != nil {
			return 0, err
		}
		if got.elapsed >= least || n >= maxOperations {
			return n, nil
		}
		// Aim a little beyond, but grow at most tenfold: the first rounds are
		// slow ones.
		aim := 1.2 * float64(n) * float64(least) / float64(max(got.elapsed, 1))
		n = max(n+1, int(min(aim, 10*float64(n), maxOperations)))
	}
}

// compare lets both sides of c take turns and returns the medians.
func (c comparison) compare(rounds int, least time.Duration) (results []result, err error) {
	peer, ours := &side{name: "amqp091-go", open: c.peer}, &side{name: "newapi", open: c.ours}
	n := 0
	for _, s := range []*side{peer, ours} {
		if s.subject, err = s.open(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		defer func(s *side) { err = errors.Join(err, s.Close()) }(s)
		needs, err := s.calibrate(least)
		if err != nil {
			return nil, err
		}
		n = max(n, needs)
	}
	for i := 0; i < rounds; i++ {
		for _, s := range []*side{peer, ours} {
			got, err := s.measure(n)
			if err != nil {
				return nil, err
			}
			s.samples = append(s.samples, got)
		}
		if a, b := peer.samples[i].octets, ours.samples[i].octets; a != b || a == 0 {
			return nil, fmt.Errorf("not the same work: %d operations were %d octets of %s and %d of %s", n, a, peer.name, b, ours.name)
		}
	}
	elapsed := func(s sample) float64 { return float64(s.elapsed) / float64(n) }
	// A whole number, as go test -benchmem has it: the few allocations of the
	// measuring itself vanish.
	allocs := func(s sample) float64 { return float64(s.allocs / uint64(n)) }
	return []result{
		{c.name, "ns/op", median(peer.samples, elapsed), median(ours.samples, elapsed)},
		{c.name, "allocs/op", median(peer.samples, allocs), median(ours.samples, allocs)},
	}, nil
}

// median returns the median of what of returns for the samples.
func median(samples []sample, of func(sample) float64) float64 {
	var values []float64
	for _, s := range samples {
		values = append(values, of(s))
	}
	sort.Float64s(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}
