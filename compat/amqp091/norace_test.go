//go:build !race

package amqp091_test

const raceEnabled = false
