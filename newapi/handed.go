package newapi

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// handedOut knows which deliveries the handlers of a channel's ConsumeFuncs were
// given and have not answered, so that what a handler that panics has left open
// can be given back to its queue.
type handedOut struct {
	inUse atomic.Bool // set for good by the first ConsumeFunc without autoAck

	mu   sync.Mutex
	open map[uint64]*funcConsumer // by delivery tag
	back map[uint64]struct{}      // given back: nobody else may answer them
}

func (h *handedOut) use() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == nil {
		h.open = make(map[uint64]*funcConsumer)
	}
	h.inUse.Store(true)
}

// add notes that the handler of c is about to get a delivery.
func (h *handedOut) add(tag uint64, c *funcConsumer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open[tag] = c
}

// answer notes an answer before it is sent. It refuses one for a delivery that has
// been given back: the broker would close the channel over it.
func (h *handedOut) answer(tag uint64, multiple bool) error {
	if !h.inUse.Load() {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, isBack := h.back[tag]; isBack {
		return fmt.Errorf("newapi: delivery %d was requeued when the handler of its ConsumeFunc panicked; it cannot be answered any more", tag)
	}
	delete(h.open, tag)
	if multiple {
		for open := range h.open {
			if open < tag || tag == 0 { // zero: all so far
				delete(h.open, open)
			}
		}
	}
	return nil
}

// forget leaves what c was given to the user.
func (h *handedOut) forget(c *funcConsumer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for tag, of := range h.open {
		if of == c {
			delete(h.open, tag)
		}
	}
}

// forgetAll is for basic.recover, by which the broker takes everything back.
func (h *handedOut) forgetAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.open)
}

// takeBack returns the tags that c's handler has not answered.
func (h *handedOut) takeBack(c *funcConsumer) (tags []uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for tag, of := range h.open {
		if of == c {
			delete(h.open, tag)
			tags = append(tags, tag)
		}
	}
	if len(tags) > 0 && h.back == nil {
		h.back = make(map[uint64]struct{})
	}
	for _, tag := range tags {
		h.back[tag] = struct{}{}
	}
	return tags
}

// requeue gives deliveries back to their queue, in their order. If the channel is
// closed the broker has done so already.
func (ch *Channel) requeue(tags []uint64) {
	if len(tags) == 0 {
		return
	}
	slices.Sort(tags)
	_ = ch.conn.writer.send(ch, func(dst []byte) ([]byte, error) {
		for _, tag := range tags {
			dst = wire.AppendBasicNack(dst, ch.id, tag, false, true)
		}
		return dst, nil
	})
}
