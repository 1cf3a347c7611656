package main

import (
	"errors"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"
)

// fake is a subject that notes its turns in a log that both sides share.
type fake struct {
	name     string
	log      *[]string
	takes    time.Duration // for each operation
	octets   uint64        // of each operation
	messages uint64        // likewise
	fails    error
	total    tally
}

func (f *fake) Run(n int) error {
	*f.log = append(*f.log, f.name)
	time.Sleep(time.Duration(n) * f.takes)
	f.total.octets += uint64(n) * f.octets
	f.total.messages += uint64(n) * f.messages
	return f.fails
}

func (f *fake) RunFor(d time.Duration, took *callTimes) error {
	var times callTimes
	for start := time.Now(); time.Since(start) < d; {
		before := time.Now()
		if err := f.Run(1); err != nil {
			return err
		}
		times.record(time.Since(before))
	}
	took.add(&times)
	return nil
}

func (f *fake) Delivered() (tally, error) { return f.total, nil }

func (f *fake) Close() error {
	*f.log = append(*f.log, "close "+f.name)
	return nil
}

// versus is a comparison of two fakes.
func versus(peer, ours fake) (comparison, *[]string) {
	log := new([]string)
	peer.name, peer.log, ours.name, ours.log = "peer", log, "ours", log
	return comparison{
		name:  "fakes",
		units: []unit{timePerOp, allocsPerOp},
		peer:  func(*lab) (subject, error) { return &peer, nil },
		ours:  func(*lab) (subject, error) { return &ours, nil },
	}, log
}

func TestSidesTakeTurns(t *testing.T) {
	c, log := versus(fake{takes: time.Microsecond, octets: 8}, fake{takes: time.Microsecond, octets: 8})
	results, err := c.compare(nil, 3, 50*time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"peer", "ours", "peer", "ours", "peer", "ours", "close ours", "close peer"}
	if turns := (*log)[max(0, len(*log)-len(want)):]; !reflect.DeepEqual(turns, want) {
		t.Errorf("the last turns: %q, want %q", turns, want)
	}
	if len(results) != 2 || results[0].unit.name != "ns/op" || results[1].unit.name != "allocs/op" || results[0].peer <= 0 || results[0].ours <= 0 {
		t.Errorf("results: %+v", results)
	}
}

func TestTimedSidesHaveTheSameTime(t *testing.T) {
	c, log := versus(fake{takes: time.Microsecond, messages: 1}, fake{takes: time.Millisecond, messages: 1})
	c.timed, c.longer = true, 3
	c.units = []unit{longestCall, slowCalls, worstServed, messageRate}
	results, err := c.compare(nil, 1, 2*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results[:3] {
		if !(r.peer > 0) || !(r.ours > 0) {
			t.Errorf("%s: peer %v, ours %v", r.unit.name, r.peer, r.ours)
		}
	}
	if results[2].peer != 1 || results[2].ours != 1 {
		t.Errorf("one goroutine is served %v and %v of the mean", results[2].peer, results[2].ours)
	}
	ours := 0
	for _, turn := range *log {
		if turn == "ours" {
			ours++
		}
	}
	if ours > 6 || len(*log)-ours <= ours {
		t.Errorf("%d calls of 1 ms in 6 ms, and %d of the faster side", ours, len(*log)-ours)
	}
}

func TestUnequalWorkIsNoResult(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name       string
		peer, ours fake
		timed      bool
		want       string
	}{
		{name: "fewer octets", peer: fake{octets: 8}, ours: fake{octets: 7}, want: errUnequal.Error()},
		{name: "fewer messages", peer: fake{messages: 1}, ours: fake{messages: 1, octets: 1}, want: errUnequal.Error()},
		{name: "more messages than calls", peer: fake{messages: 2}, ours: fake{messages: 2}, want: errLost.Error()},
		{name: "more messages than timed calls", peer: fake{messages: 2}, ours: fake{messages: 1}, timed: true, want: errLost.Error()},
		{name: "none at all", want: errLost.Error()},
		{name: "peer fails", peer: fake{octets: 8, fails: broken}, ours: fake{octets: 8}, want: "amqp091-go: broken"},
		{name: "ours fails", peer: fake{octets: 8}, ours: fake{octets: 8, fails: broken}, want: "newapi: broken"},
		{name: "ours fails in time", peer: fake{octets: 8}, ours: fake{octets: 8, fails: broken}, timed: true, want: "newapi: broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, log := versus(test.peer, test.ours)
			c.timed = test.timed
			results, err := c.compare(nil, 1, 100*time.Microsecond)
			if err == nil || !strings.Contains(err.Error(), test.want) || results != nil {
				t.Errorf("results %v, error %v; want %s", results, err, test.want)
			}
			if all := strings.Join(*log, " "); !strings.HasSuffix(all, "close peer") || strings.Count(all, "close") > 1 != strings.Contains(all, "ours") {
				t.Errorf("turns: %s; want all closed at the end", all)
			}
		})
	}
}

func TestSideThatCannotBeOpened(t *testing.T) {
	c, log := versus(fake{octets: 8}, fake{octets: 8})
	refused := errors.New("refused")
	c.ours, c.ourName = func(*lab) (subject, error) { return nil, refused }, "another"
	if _, err := c.compare(nil, 1, time.Nanosecond); !errors.Is(err, refused) || !strings.Contains(err.Error(), "another") {
		t.Errorf("error %v, want %v of the side called another", err, refused)
	}
	if turns := *log; len(turns) == 0 || turns[len(turns)-1] != "close peer" {
		t.Errorf("turns: %q; want the peer closed", turns)
	}
}

func TestCalibrateGrowsUntilTheTimeIsReached(t *testing.T) {
	const least = 20 * time.Millisecond
	var runs []int
	var last time.Duration
	n, err := (&side{subject: runner(func(n int) {
		start := time.Now()
		time.Sleep(time.Duration(n) * time.Microsecond)
		runs, last = append(runs, n), time.Since(start)
	})}).calibrate(least)
	if err != nil {
		t.Fatal(err)
	}
	if n != runs[len(runs)-1] || !sort.IntsAreSorted(runs) || last < least*9/10 {
		t.Errorf("%d operations after runs of %v, the last of which took %v, for at least %v", n, runs, last, least)
	}
}

// runner is a subject that delivers what it is asked to, if anyone counts.
type runner func(n int)

var delivered uint64

func (r runner) Run(n int) error         { r(n); delivered += uint64(n); return nil }
func (runner) Delivered() (tally, error) { return tally{messages: delivered}, nil }
func (runner) Close() error              { return nil }

func TestMedian(t *testing.T) {
	elapsed := median(func(s sample) float64 { return float64(s.elapsed) })
	for _, test := range []struct {
		values []time.Duration
		want   float64
	}{
		{[]time.Duration{5}, 5},
		{[]time.Duration{9, 1, 5}, 5},
		{[]time.Duration{9, 1, 5, 4}, 4.5},
	} {
		var samples []sample
		for _, v := range test.values {
			samples = append(samples, sample{elapsed: v})
		}
		if got := elapsed(samples); got != test.want {
			t.Errorf("median of %v = %v, want %v", test.values, got, test.want)
		}
	}
}
