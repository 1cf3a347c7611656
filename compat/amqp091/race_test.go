//go:build race

package amqp091_test

// raceEnabled: the race detector makes sync.Pool forget at random, so counting
// allocations means nothing.
const raceEnabled = true
