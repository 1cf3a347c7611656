package amqp091

import "time"

// SetStateGrace sets how long a change of state waits for its reader, and returns
// what sets it back.
func SetStateGrace(d time.Duration) (restore func()) {
	before := stateGrace
	stateGrace = d
	return func() { stateGrace = before }
}
