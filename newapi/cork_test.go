package newapi

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// recordedSocket is a corkable that writes down what is asked of it.
type recordedSocket struct {
	mu    sync.Mutex
	calls []string
	fails map[string]error
}

func (s *recordedSocket) call(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, name)
	return s.fails[name]
}

func (s *recordedSocket) hold() error    { return s.call("hold") }
func (s *recordedSocket) release() error { return s.call("release") }

func (s *recordedSocket) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.calls, " ")
}

// steppedCork returns a cork whose writes are as far apart as the test says and
// whose ticks come when the test calls tick.
func steppedCork(t *testing.T, s *recordedSocket) (c *cork, write func(n, size int, gap time.Duration)) {
	c = newCork(s)
	c.ticks = time.AfterFunc(time.Hour, func() {})
	t.Cleanup(func() { c.ticks.Stop() })
	var now time.Duration
	c.now = func() time.Duration { return now }
	c.tickAfter = time.Hour
	return c, func(n, size int, gap time.Duration) {
		for ; n > 0; n-- {
			now += gap
			c.beforeWrite(size)
		}
	}
}

func TestCorkHoldsBackInARushOnly(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(c *cork, write func(n, size int, gap time.Duration))
		want string
	}{
		{"one write", func(_ *cork, write func(int, int, time.Duration)) { write(1, 100, time.Second) }, ""},
		{"a short burst", func(_ *cork, write func(int, int, time.Duration)) {
			write(1, 100, time.Second)
			write(rushWrites-1, 100, rushGap)
		}, ""},
		{"a rush", func(_ *cork, write func(int, int, time.Duration)) {
			write(1, 100, time.Second)
			write(rushWrites, 100, rushGap)
		}, "hold"},
		{"bursts with pauses", func(_ *cork, write func(int, int, time.Duration)) {
			for i := 0; i < 100; i++ {
				write(1, 100, rushGap+1)
				write(rushWrites-1, 100, 1)
			}
		}, ""},
		{"many writes, none close to another", func(_ *cork, write func(int, int, time.Duration)) { write(1000, 1, rushGap+1) }, ""},
		{"writes that fill segments", func(_ *cork, write func(int, int, time.Duration)) { write(1000, rushSize+1, 1) }, ""},
		{"a rush goes on", func(c *cork, write func(int, int, time.Duration)) {
			write(100, 100, 1)
			c.tick()
			write(100, 100, 1)
			c.tick()
		}, "hold release hold release hold"},
		{"a rush ends", func(c *cork, write func(int, int, time.Duration)) {
			write(100, 100, 1)
			c.tick()
			c.tick()
		}, "hold release hold release"},
		{"a second rush", func(c *cork, write func(int, int, time.Duration)) {
			write(100, 100, 1)
			c.tick()
			c.tick()
			write(100, 100, 1)
		}, "hold release hold release hold"},
		{"a slow write during a rush counts for nothing", func(c *cork, write func(int, int, time.Duration)) {
			write(100, 100, 1)
			c.tick()
			write(1, 100, time.Second)
			c.tick()
		}, "hold release hold release"},
		{"the connection ends in a rush", func(c *cork, write func(int, int, time.Duration)) {
			write(100, 100, 1)
			c.end()
			c.tick()
			write(100, 100, 1)
		}, "hold"},
		{"ended before", func(c *cork, write func(int, int, time.Duration)) {
			c.end()
			write(100, 100, 1)
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := new(recordedSocket)
			c, write := steppedCork(t, s)
			test.do(c, write)
			if got := s.said(); got != test.want {
				t.Errorf("asked for %q, want %q", got, test.want)
			}
		})
	}
}

func TestCorkGoesOnWithoutASocketsHelp(t *testing.T) {
	refused := errors.New("refused")
	for _, test := range []struct {
		fails string
		ticks int
		want  string
	}{
		{"hold", 1, "hold hold"}, // tried again as the rush goes on
		{"release", 1, "hold release"},
		{"release", 2, "hold release"},
	} {
		t.Run(test.fails, func(t *testing.T) {
			s := &recordedSocket{fails: map[string]error{test.fails: refused}}
			c, write := steppedCork(t, s)
			write(1+2*rushWrites, 100, 1)
			for i := 0; i < test.ticks; i++ {
				c.tick()
			}
			if got := s.said(); got != test.want {
				t.Errorf("asked for %q, want %q", got, test.want)
			}
		})
	}
}
