package main

import (
	"math"
	"sort"
)

// unit is one way to look at the rounds of a side.
type unit struct {
	name  string
	more  bool // more is better
	value func([]sample) float64
}

// withCPU adds cpuPerMessage where the system tells it.
func withCPU(units ...unit) []unit {
	if knowsCPUTime {
		units = append(units, cpuPerMessage)
	}
	return units
}

var (
	timePerOp = unit{name: "ns/op", value: median(func(s sample) float64 {
		return float64(s.elapsed.Nanoseconds()) / float64(s.operations)
	})}
	// To a tenth: the few allocations of the measuring itself vanish.
	allocsPerOp = unit{name: "allocs/op", value: median(func(s sample) float64 {
		return math.Round(10*float64(s.allocs)/float64(s.operations)) / 10
	})}
	messageRate = unit{name: "msg/s", more: true, value: median(func(s sample) float64 {
		return float64(s.operations) / s.elapsed.Seconds()
	})}
	// Of the client's process, kernel included.
	cpuPerMessage = unit{name: "CPU ns/msg", value: median(func(s sample) float64 {
		return float64(s.cpu.Nanoseconds()) / float64(s.operations)
	})}

	longestCall = unit{name: "longest call ms", value: median(func(s sample) float64 {
		return 1e3 * s.calls.longest.Seconds()
	})}
	slowCalls = unit{name: "p99.9 call ms", value: median(func(s sample) float64 {
		return 1e3 * s.calls.quantile(0.999).Seconds()
	})}
	// What the worst-served goroutine got, as a share of the mean: 1 is fair.
	worstServed = unit{name: "least served/mean", more: true, value: func(samples []sample) float64 {
		var rounds []*callTimes
		for _, s := range samples {
			rounds = append(rounds, s.calls)
		}
		return leastServed(rounds)
	}}
)

// median looks at each round by itself and returns the one in the middle.
func median(of func(sample) float64) func([]sample) float64 {
	return func(samples []sample) float64 {
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
}
