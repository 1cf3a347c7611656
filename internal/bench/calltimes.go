package main

import (
	"math/bits"
	"time"
)

// callTimes says how long calls took, of one goroutine or of several together. A
// duration is kept to a 32nd of itself, so that recording one costs a few
// nanoseconds and no memory.
type callTimes struct {
	buckets [59 * perOctave]uint64
	count   uint64
	longest time.Duration

	goroutines int    // added up
	fewest     uint64 // count of the goroutine that made the fewest calls
}

const (
	octaveBits = 5
	perOctave  = 1 << octaveBits
)

// bucket returns where durations around d are counted. Below perOctave each
// nanosecond has its bucket; from there on every doubling has perOctave of them.
func bucket(d time.Duration) int {
	v := uint64(max(d, 0))
	if v < perOctave {
		return int(v)
	}
	octave := bits.Len64(v) - octaveBits
	return octave<<octaveBits + int(v>>(octave-1)) - perOctave
}

// upperBound returns the longest duration that bucket i counts.
func upperBound(i int) time.Duration {
	if i < perOctave {
		return time.Duration(i)
	}
	octave := i >> octaveBits
	return time.Duration(uint64(i&(perOctave-1)+perOctave+1)<<(octave-1) - 1)
}

// record counts one call of the one goroutine that c belongs to.
func (c *callTimes) record(d time.Duration) {
	c.buckets[bucket(d)]++
	c.count++
	c.longest = max(c.longest, d)
}

// add counts what one goroutine has recorded.
func (c *callTimes) add(one *callTimes) {
	for i, n := range one.buckets {
		c.buckets[i] += n
	}
	if c.goroutines == 0 || one.count < c.fewest {
		c.fewest = one.count
	}
	c.goroutines++
	c.count += one.count
	c.longest = max(c.longest, one.longest)
}

// quantile returns a duration that the share q of the calls did not exceed.
func (c *callTimes) quantile(q float64) time.Duration {
	want := uint64(q * float64(c.count))
	for i, n := range c.buckets {
		if n >= want && n > 0 {
			return min(upperBound(i), c.longest)
		}
		want -= min(n, want)
	}
	return c.longest
}

// leastServed returns the calls of the goroutine that made the fewest, as a share
// of the mean.
func (c *callTimes) leastServed() float64 {
	if c.count == 0 {
		return 0
	}
	return float64(c.fewest) * float64(c.goroutines) / float64(c.count)
}
