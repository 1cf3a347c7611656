package main

import "math"

// unit is one way to look at a sample.
type unit struct {
	name  string
	more  bool // more is better
	value func(sample) float64
}

// withCPU adds cpuPerMessage where the system tells it.
func withCPU(units ...unit) []unit {
	if knowsCPUTime {
		units = append(units, cpuPerMessage)
	}
	return units
}

var (
	timePerOp = unit{name: "ns/op", value: func(s sample) float64 {
		return float64(s.elapsed.Nanoseconds()) / float64(s.operations)
	}}
	// To a tenth: the few allocations of the measuring itself vanish.
	allocsPerOp = unit{name: "allocs/op", value: func(s sample) float64 {
		return math.Round(10*float64(s.allocs)/float64(s.operations)) / 10
	}}
	messageRate = unit{name: "msg/s", more: true, value: func(s sample) float64 {
		return float64(s.operations) / s.elapsed.Seconds()
	}}
	// Of the client's process, kernel included.
	cpuPerMessage = unit{name: "CPU ns/msg", value: func(s sample) float64 {
		return float64(s.cpu.Nanoseconds()) / float64(s.operations)
	}}

	longestCall = unit{name: "longest call ms", value: func(s sample) float64 {
		return 1e3 * s.calls.longest.Seconds()
	}}
	slowCalls = unit{name: "p99.9 call ms", value: func(s sample) float64 {
		return 1e3 * s.calls.quantile(0.999).Seconds()
	}}
	// What the worst-served goroutine got, as a share of the mean: 1 is fair.
	leastServed = unit{name: "least served/mean", more: true, value: func(s sample) float64 {
		return s.calls.leastServed()
	}}
)
