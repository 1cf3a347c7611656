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

	each []uint64 // count of each goroutine that was added
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
	c.each = append(c.each, one.count)
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

// leastServed returns the calls of the goroutine that made the fewest in all rounds
// together, as a share of the mean. One round has room for only a few turns of each
// goroutine that the scheduler interrupts every 10 ms.
func leastServed(rounds []*callTimes) float64 {
	var each []uint64
	var sum uint64
	for _, c := range rounds {
		for i, n := range c.each {
			if i == len(each) {
				each = append(each, 0)
			}
			each[i] += n
			sum += n
		}
	}
	if sum == 0 {
		return 0
	}
	fewest := each[0]
	for _, n := range each {
		fewest = min(fewest, n)
	}
	return float64(fewest) * float64(len(each)) / float64(sum)
}
