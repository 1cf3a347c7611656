//go:build !race

package newapi

const raceEnabled = false
