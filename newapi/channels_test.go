package newapi

import "testing"

// The reader remembers the channel that its last frame was for. It must not
// remember it for longer than the connection does.
func TestReaderForgetsAChannelWithTheConnection(t *testing.T) {
	c := &Connection{channels: make(map[uint16]*Channel)}
	open := func(id uint16) *Channel {
		ch := newChannel(c, id)
		c.channels[id] = ch
		return ch
	}
	first, second := open(1), open(2)
	for _, want := range []*Channel{first, first, second, first} {
		if got := c.channel(want.id); got != want {
			t.Fatalf("channel %d: %p, want %p", want.id, got, want)
		}
	}
	c.release(first)
	if got := c.channel(1); got != nil {
		t.Errorf("a released channel is still found: %p", got)
	}
	c.release(first) // again, as Close and the broker's answer may both do
	if reopened := open(1); c.channel(1) != reopened {
		t.Error("a channel that was opened with a released id is not found")
	}
	c.release(first)
	if c.channel(1) == nil {
		t.Error("releasing a channel twice took the id from its successor")
	}
}
