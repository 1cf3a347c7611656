package amqptest

import "time"

// message is what a publish put together. It is shared by all queues that hold
// it and never changes.
type message struct {
	exchange, routingKey string
	properties           []byte // encoded and validated
	body                 []byte
	priority             uint8
	expiration           *time.Duration // of the message's own; nil: none
}

// entry is a message in one queue.
type entry struct {
	*message
	position    uint64 // grows with every message the queue takes
	priority    uint8  // as far as the queue has priorities
	expires     time.Time
	redelivered bool

	before, behind *entry // while it is ready
}

// goesBefore is the order of a queue: higher priorities first, then first come
// first served, which is also what puts a message that comes back where it was.
func (e *entry) goesBefore(other *entry) bool {
	if e.priority != other.priority {
		return e.priority > other.priority
	}
	return e.position < other.position
}

// expired reports whether the message's time is over.
func (e *entry) expired(now time.Time) bool {
	return !e.expires.IsZero() && !now.Before(e.expires)
}

// entryList is the ready messages of a queue, in their order.
type entryList struct {
	head, tail *entry
	length     int
	bytes      int // of the bodies
}

// push adds an entry that most likely goes last.
func (l *entryList) push(e *entry) {
	before := l.tail
	for before != nil && e.goesBefore(before) {
		before = before.before
	}
	l.insert(before, e)
}

// giveBack adds an entry that most likely goes first.
func (l *entryList) giveBack(e *entry) {
	behind := l.head
	for behind != nil && behind.goesBefore(e) {
		behind = behind.behind
	}
	if behind == nil {
		l.insert(l.tail, e)
		return
	}
	l.insert(behind.before, e)
}

// insert puts e behind before, or first when before is nil.
func (l *entryList) insert(before, e *entry) {
	e.before = before
	if before == nil {
		e.behind, l.head = l.head, e
	} else {
		e.behind, before.behind = before.behind, e
	}
	if e.behind == nil {
		l.tail = e
	} else {
		e.behind.before = e
	}
	l.length++
	l.bytes += len(e.body)
}

// pop removes and returns the first entry; the list is not empty.
func (l *entryList) pop() *entry {
	e := l.head
	l.head = e.behind
	if l.head == nil {
		l.tail = nil
	} else {
		l.head.before = nil
	}
	e.behind = nil
	l.length--
	l.bytes -= len(e.body)
	return e
}
