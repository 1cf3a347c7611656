package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/amqpfix/amqpfix/analyzer/driver"
)

var progressDelay = time.Second // runs under it show nothing; tests do not wait

const progressInterval = 100 * time.Millisecond

// A progress is one line on a terminal that says what a long run is at, and
// that is gone when the run ends.
type progress struct {
	w    io.Writer // nil: say nothing
	quit chan struct{}
	done chan struct{}

	mu   sync.Mutex
	last driver.Progress
}

// newProgress starts a progress line on w if that is a terminal.
func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); !ok || !isTerminal(f) {
		return new(progress)
	}
	return startProgress(w, progressDelay, progressInterval)
}

func isTerminal(f *os.File) bool {
	fi, err := f.Stat()
	return err == nil && fi.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

func startProgress(w io.Writer, delay, interval time.Duration) *progress {
	p := &progress{w: w, quit: make(chan struct{}), done: make(chan struct{})}
	go p.draw(delay, interval)
	return p
}

// step notes where the run is.
func (p *progress) step(now driver.Progress) {
	p.mu.Lock()
	p.last = now
	p.mu.Unlock()
}

// stepText says where a run is: "analysing 3/20", "listing packages".
func stepText(now driver.Progress) string {
	if now.Total == 0 {
		return now.Step
	}
	return fmt.Sprintf("%s %d/%d", now.Step, now.Done, now.Total)
}

// stop erases the line. Nothing is drawn after it returns.
func (p *progress) stop() {
	if p.w != nil {
		close(p.quit)
		<-p.done
	}
}

const eraseLine = "\r\x1b[K"

func (p *progress) draw(delay, interval time.Duration) {
	defer close(p.done)
	select {
	case <-p.quit:
		return
	case <-time.After(delay):
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	shown := ""
	for {
		p.mu.Lock()
		now := p.last
		p.mu.Unlock()
		if text := stepText(now); text != shown {
			fmt.Fprint(p.w, eraseLine+"amqpfix: "+text)
			shown = text
		}
		select {
		case <-p.quit:
			fmt.Fprint(p.w, eraseLine)
			return
		case <-tick.C:
		}
	}
}
