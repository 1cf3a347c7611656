package main

import (
	"math"
	"testing"
	"time"
)

func TestBucketsAreInOrderAndNarrow(t *testing.T) {
	last := int64(-1)
	for i := range (callTimes{}).buckets {
		upper := upperBound(i)
		if got := bucket(upper); got != i {
			t.Fatalf("bucket %d ends with %d, which is counted in bucket %d", i, upper, got)
		}
		if upper < math.MaxInt64 {
			if got := bucket(upper + 1); got != i+1 {
				t.Fatalf("%d, behind bucket %d, is counted in bucket %d", upper+1, i, got)
			}
		}
		if width := float64(int64(upper) - last); width > 1 && width > float64(upper)/perOctave+1 {
			t.Fatalf("bucket %d, up to %d, is %v wide", i, upper, width)
		}
		last = int64(upper)
	}
	if last != math.MaxInt64 {
		t.Errorf("the last bucket ends with %d", last)
	}
	if got := bucket(-1); got != 0 {
		t.Errorf("a negative duration is counted in bucket %d", got)
	}
}

func TestQuantile(t *testing.T) {
	var c callTimes
	for i := 1; i <= 10_000; i++ {
		c.record(time.Duration(i) * time.Microsecond)
	}
	for q, want := range map[float64]time.Duration{
		0.001: 10 * time.Microsecond, 0.5: 5 * time.Millisecond, 0.999: 9990 * time.Microsecond, 1: 10 * time.Millisecond,
	} {
		if got := c.quantile(q); got < want || got > want+want/perOctave+1 {
			t.Errorf("quantile(%v) = %v, want %v or a 32nd more", q, got, want)
		}
	}
	if got := new(callTimes).quantile(0.5); got != 0 {
		t.Errorf("of no calls: %v", got)
	}
}

func TestLeastServedIsAShareOfTheMeanOfAllRounds(t *testing.T) {
	for _, test := range []struct {
		rounds [][]int // calls of each goroutine
		want   float64
	}{
		{nil, 0},
		{[][]int{{}}, 0},
		{[][]int{{7}}, 1},
		{[][]int{{1, 3}}, 0.5},
		{[][]int{{4, 0, 2}}, 0},
		{[][]int{{3, 3, 3}}, 1},
		{[][]int{{0, 4}, {4, 0}}, 1},
		{[][]int{{1, 3}, {1, 3}}, 0.5},
	} {
		var rounds []*callTimes
		for _, calls := range test.rounds {
			round := new(callTimes)
			for _, n := range calls {
				var one callTimes
				for i := 0; i < n; i++ {
					one.record(1)
				}
				round.add(&one)
			}
			rounds = append(rounds, round)
		}
		if got := leastServed(rounds); got != test.want {
			t.Errorf("calls %v: %v, want %v", test.rounds, got, test.want)
		}
	}
}
