package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"
	"time"
)

// comparison is one thing that both sides can do.
type comparison struct {
	name    string
	units   []unit
	against string // the peer, if it is not amqp091-go
	ourName string // what of ours it is, if not newapi
	longer  int    // how many times longer than usual a round is; 0 is 1
	timed   bool   // both do what they can in the same time, instead of the same work

	peer, ours func(*lab) (subject, error)
}

// subject is one side of a comparison, connected and ready.
type subject interface {
	// Run performs n operations and returns when they are done.
	Run(n int) error
	// Delivered waits until all that was done has reached the other end, and
	// returns what has arrived there since the subject was opened.
	Delivered() (tally, error)
	// Close ends what the subject opened.
	Close() error
}

// timedSubject is what a timed comparison compares.
type timedSubject interface {
	subject
	// RunFor performs operations until d has passed and adds up in took how long
	// each of them took.
	RunFor(d time.Duration, took *callTimes) error
}

// tally is what has arrived at the other end. What a subject cannot know is 0.
type tally struct{ messages, frames, octets uint64 }

func (t tally) minus(earlier tally) tally {
	return tally{t.messages - earlier.messages, t.frames - earlier.frames, t.octets - earlier.octets}
}

func (t tally) String() string {
	return fmt.Sprintf("%d messages, %d frames and %d octets", t.messages, t.frames, t.octets)
}

// sample is what one round of one side took and achieved.
type sample struct {
	operations int
	elapsed    time.Duration
	cpu        time.Duration // of this process
	allocs     uint64
	delivered  tally
	calls      *callTimes // of a timed round
}

// side is a subject under the name that errors call it by, with its samples.
type side struct {
	name string
	subject
	samples []sample
}

// labelled runs f so that a CPU profile tells the sides apart, together with the
// goroutines that f starts.
func (s *side) labelled(f func() error) (err error) {
	pprof.Do(context.Background(), pprof.Labels("side", s.name), func(context.Context) { err = f() })
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// open makes the subject ready for the first round.
func (s *side) open(with func(*lab) (subject, error), l *lab) error {
	return s.labelled(func() (err error) {
		s.subject, err = with(l)
		return err
	})
}

// measure runs n operations on a collected heap.
func (s *side) measure(n int) (sample, error) {
	return s.round(func(got *sample) error {
		got.operations = n
		return s.Run(n)
	})
}

// measureFor runs operations for d on a collected heap.
func (s *side) measureFor(d time.Duration) (sample, error) {
	return s.round(func(got *sample) error {
		got.calls = new(callTimes)
		err := s.subject.(timedSubject).RunFor(d, got.calls)
		got.operations = int(got.calls.count)
		return err
	})
}

// round measures what run does, up to its arrival at the other end, and checks
// that all of it has arrived.
func (s *side) round(run func(*sample) error) (sample, error) {
	var got sample
	err := s.labelled(func() error {
		earlier, err := s.Delivered()
		if err != nil {
			return err
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		start, cpu := time.Now(), cpuTime()
		if err := run(&got); err != nil {
			return err
		}
		delivered, err := s.Delivered()
		got.elapsed, got.cpu = time.Since(start), cpuTime()-cpu
		runtime.ReadMemStats(&after)
		got.allocs = after.Mallocs - before.Mallocs
		got.delivered = delivered.minus(earlier)
		return err
	})
	if err != nil {
		return sample{}, err
	}
	if m := got.delivered.messages; m != 0 && m != uint64(got.operations) || got.delivered == (tally{}) {
		return sample{}, fmt.Errorf("%s: %w: %d operations delivered %v", s.name, errLost, got.operations, got.delivered)
	}
	return got, nil
}

var (
	errLost    = errors.New("not everything was delivered")
	errUnequal = errors.New("not the same work")
)

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

// compare lets both sides of c take turns and returns what its units
// make of the rounds.
func (c comparison) compare(l *lab, rounds int, least time.Duration) (results []result, err error) {
	least *= time.Duration(max(c.longer, 1))
	peer, ours := &side{name: or(c.against, "amqp091-go")}, &side{name: or(c.ourName, "newapi")}
	n := 0
	for _, s := range []*side{peer, ours} {
		with := c.peer
		if s == ours {
			with = c.ours
		}
		if err := s.open(with, l); err != nil {
			return nil, err
		}
		defer func(s *side) { err = errors.Join(err, s.Close()) }(s)
		if c.timed {
			continue
		}
		needs, err := s.calibrate(least)
		if err != nil {
			return nil, err
		}
		n = max(n, needs)
	}
	for i := 0; i < rounds; i++ {
		for _, s := range []*side{peer, ours} {
			var got sample
			var err error
			if c.timed {
				got, err = s.measureFor(least)
			} else {
				got, err = s.measure(n)
			}
			if err != nil {
				return nil, err
			}
			s.samples = append(s.samples, got)
		}
		if a, b := peer.samples[i].delivered, ours.samples[i].delivered; a != b && !c.timed {
			return nil, fmt.Errorf("%w: %d operations were %v of %s, and %v of %s", errUnequal, n, a, peer.name, b, ours.name)
		}
	}
	for _, u := range c.units {
		results = append(results, result{c.name, u, u.value(peer.samples), u.value(ours.samples)})
	}
	return results, nil
}

func or(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}
