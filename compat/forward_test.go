package compat

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// source yields the given numbers and is then closed.
func source(numbers ...int) <-chan int {
	c := make(chan int, len(numbers))
	for _, n := range numbers {
		c <- n
	}
	close(c)
	return c
}

func collect[T any](t *testing.T, c <-chan T) []T {
	t.Helper()
	var all []T
	timeout := time.After(60 * time.Second)
	for {
		select {
		case v, ok := <-c:
			if !ok {
				return all
			}
			all = append(all, v)
		case <-timeout:
			t.Fatalf("the channel was not closed after %v", all)
		}
	}
}

// isClosed is the closed argument of forward once the channel has closed.
func isClosed() <-chan *newapi.Error {
	c := make(chan *newapi.Error)
	close(c)
	return c
}

func TestForwardConvertsInOrderAndCloses(t *testing.T) {
	out := make(chan string)
	go forward(out, source(1, 2, 3), make(chan *newapi.Error), strconv.Itoa)
	if got, want := collect(t, out), []string{"1", "2", "3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestForwardFillsTheBufferAfterTheClose(t *testing.T) {
	out := make(chan string, 3)
	forward(out, source(1, 2, 3, 4, 5), isClosed(), strconv.Itoa)
	if got, want := collect(t, out), []string{"1", "2", "3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestForwardWaitsForItsReaderUntilTheClose(t *testing.T) {
	closed := make(chan *newapi.Error, 1)
	in := make(chan int)
	out := make(chan string)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		forward(out, in, closed, strconv.Itoa)
	}()

	in <- 1
	select {
	case in <- 2:
		t.Fatal("forward took a second value before its reader had the first")
	case <-ended:
		t.Fatal("forward ended while the channel was open")
	case <-time.After(30 * time.Millisecond):
	}
	closed <- newapi.ErrClosed
	select {
	case in <- 2: // to be dropped, so that its sender can end
	case <-time.After(60 * time.Second):
		t.Fatal("forward leaves its source waiting after the close")
	}
	close(in)
	select {
	case <-ended:
	case <-time.After(60 * time.Second):
		t.Fatal("forward still waits for a reader after the close")
	}
	if got := collect(t, out); got != nil {
		t.Errorf("got %q after the end, want nothing", got)
	}
}
