package newapi

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// rushGap is how soon one small write follows another for the two to be part
	// of a rush, and rushWrites how many it takes.
	rushGap    = 20 * time.Microsecond
	rushWrites = 16
	// rushSize is up to where a write is small.
	rushSize = 4 << 10
	// corkTick is how long the kernel may hold back the end of a rush.
	corkTick = 100 * time.Microsecond
)

// cork lets the kernel join the small writes of a rush into full segments. A
// publisher that writes each message by itself, one right after the other, would
// otherwise wake the broker for each of them, which costs both sides several times
// what the message does. The octets are with the kernel all the same when a write
// returns: it sends them however the process ends.
//
// A write that does not follow others closely goes out at once. During a rush
// what the kernel has is pushed out every corkTick, and the first tick without a
// write ends it.
type cork struct {
	socket    corkable
	now       func() time.Duration // since some moment
	tickAfter time.Duration

	// Of whoever has the socket.
	last  time.Duration // when the last write began
	quick int           // small writes that each closely followed the one before

	writes atomic.Uint32 // during a rush

	mu    sync.Mutex
	on    atomic.Bool // written with mu
	seen  uint32      // writes at the last tick
	ticks *time.Timer
	ended bool
}

// corkable is a socket that can hold back what does not fill a segment.
type corkable interface {
	hold() error    // from now on
	release() error // what is held back, and hold no more
}

func newCork(socket corkable) *cork {
	start := time.Now()
	return &cork{socket: socket, now: func() time.Duration { return time.Since(start) }, tickAfter: corkTick, last: -time.Hour}
}

// beforeWrite is told of each write of size octets by whoever has the socket.
func (c *cork) beforeWrite(size int) {
	now := c.now()
	gap := now - c.last
	c.last = now
	if gap > rushGap || size > rushSize {
		c.quick = 0
		return
	}
	if c.quick++; c.quick < rushWrites {
		return
	}
	c.writes.Add(1)
	if !c.on.Load() {
		c.begin()
	}
}

func (c *cork) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.socket.hold() != nil { // then it goes on without
		c.quick = 0
		return
	}
	c.on.Store(true)
	c.seen = c.writes.Load()
	if c.ticks == nil {
		c.ticks = time.AfterFunc(c.tickAfter, c.tick)
	} else {
		c.ticks.Reset(c.tickAfter)
	}
}

func (c *cork) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || !c.on.Load() {
		return
	}
	err := c.socket.release() // it fails on a closed socket only
	if writes := c.writes.Load(); writes != c.seen && err == nil && c.socket.hold() == nil {
		c.seen = writes
		c.ticks.Reset(c.tickAfter)
		return
	}
	c.on.Store(false)
}

// end stops the ticks; the socket is about to be closed, which pushes.
func (c *cork) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.ticks != nil {
		c.ticks.Stop()
	}
}
