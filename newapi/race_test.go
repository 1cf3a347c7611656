//go:build race

package newapi

// raceEnabled: under the race detector sync.Pool drops values at random, so
// counting allocations means nothing.
const raceEnabled = true
