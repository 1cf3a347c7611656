package newapi

import "sync"

// NotifyConfirm is NotifyPublish with the tags of acks and nacks on two chans,
// which may be the same one. Both are closed with the channel.
func (ch *Channel) NotifyConfirm(ack, nack chan uint64) (chan uint64, chan uint64) {
	ch = ch.orEnded()
	acks := feed[uint64]{out: ch.acks.begin(ack), quit: ch.done, grace: noticeGrace}
	nacks := feed[uint64]{out: ch.nacks.begin(nack), quit: ch.done, grace: noticeGrace}
	if acks.out == nil && nacks.out == nil {
		return ack, nack
	}
	confirms := ch.NotifyPublish(make(chan Confirmation, cap(acks.out)+cap(nacks.out)))
	go func() {
		for c := range confirms {
			to := &nacks
			if c.Ack {
				to = &acks
			}
			if to.out != nil && !to.deliver(c.DeliveryTag) {
				break
			}
		}
		ch.acks.end(acks.out)
		ch.nacks.end(nacks.out)
	}()
	return ack, nack
}

// tagChans are the chans that NotifyConfirm tells of one kind of answer.
type tagChans struct {
	mu  sync.Mutex
	all map[chan uint64]struct{}
}

// begin registers out and returns it, or nil if it is registered already.
func (t *tagChans) begin(out chan uint64) chan uint64 {
	if out == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, again := t.all[out]; again {
		return nil
	}
	if t.all == nil {
		t.all = make(map[chan uint64]struct{})
	}
	t.all[out] = struct{}{}
	noticed.join(out)
	return out
}

// end closes a chan that begin returned, unless somebody else still uses it.
func (t *tagChans) end(out chan uint64) {
	if out == nil {
		return
	}
	t.mu.Lock()
	delete(t.all, out)
	t.mu.Unlock()
	if noticed.leave(out) {
		close(out)
	}
}
