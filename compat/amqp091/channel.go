package amqp091

import (
	"sync"

	"github.com/amqpfix/amqpfix/newapi"
)

// Channel is a channel of a connection: the unit of ordering, of confirms and of
// errors. An error that the broker raises closes the channel; open a new one.
//
// All methods are safe for concurrent use, which amqp091-go does not promise. The
// zero Channel is not closed, as in amqp091-go, but cannot be used either.
//
// It is a [newapi.Publisher].
type Channel struct {
	ch        *newapi.Channel // nil in a zero Channel; what is called on it then is ErrClosed
	lifeCycle lifeCycle

	watch     sync.Once
	endedChan <-chan *Error // ready once the channel has ended
}

// ended is made on first use: a channel without consumers has no need of it.
func (ch *Channel) ended() <-chan *Error {
	ch.watch.Do(func() { ch.endedChan = ch.ch.NotifyClose(make(chan *Error, 1)) })
	return ch.endedChan
}

// Close closes the channel after what was published on it, and waits for the
// broker's answer. Outstanding confirmations end unacknowledged, the chans of
// consumers and listeners are closed. Closing a closed channel returns nil.
func (ch *Channel) Close() error {
	if !ch.ch.IsClosed() {
		ch.lifeCycle.closing()
	}
	return ch.ch.Close()
}

// IsClosed reports whether the channel has been closed, by either side.
func (ch *Channel) IsClosed() bool { return ch.ch != nil && ch.ch.IsClosed() }

// Confirm puts the channel into confirm mode: from then on every publish gets a
// delivery tag, counted from 1, and the broker answers each with an ack or a
// nack. With noWait it does not wait for the broker's answer.
func (ch *Channel) Confirm(noWait bool) error { return ch.ch.Confirm(noWait) }

// GetNextPublishSeqNo returns the delivery tag that the next publish will get in
// confirm mode. With several publishers it may be taken by the time it is used;
// the tag in a DeferredConfirmation is certain.
func (ch *Channel) GetNextPublishSeqNo() uint64 { return ch.ch.GetNextPublishSeqNo() }

// Flow asks the broker to pause (false) or resume deliveries on the channel.
// RabbitMQ refuses to pause; use Qos.
func (ch *Channel) Flow(active bool) error { return ch.ch.Flow(active) }

// Qos sets how many deliveries the broker sends ahead of acknowledgements: to
// each consumer that begins after it, or with global to all of the channel
// together. RabbitMQ knows no prefetchSize but 0.
func (ch *Channel) Qos(prefetchCount, prefetchSize int, global bool) error {
	return ch.ch.Qos(prefetchCount, prefetchSize, global)
}

// Ack acknowledges the delivery with this tag, or with multiple all up to it.
func (ch *Channel) Ack(tag uint64, multiple bool) error { return ch.ch.Ack(tag, multiple) }

// Nack refuses the delivery with this tag, or with multiple all up to it. With
// requeue the broker delivers them again, else it drops or dead-letters them.
func (ch *Channel) Nack(tag uint64, multiple, requeue bool) error {
	return ch.ch.Nack(tag, multiple, requeue)
}

// Reject refuses the delivery with this tag; requeue is as for Nack.
func (ch *Channel) Reject(tag uint64, requeue bool) error { return ch.ch.Reject(tag, requeue) }

// Recover asks the broker to deliver everything unacknowledged again. RabbitMQ
// supports it with requeue only.
//
// Deprecated: use Nack with requeue.
func (ch *Channel) Recover(requeue bool) error { return ch.ch.Recover(requeue) }

// Tx puts the channel into transaction mode: publishes and acknowledgements take
// effect with TxCommit or not at all.
func (ch *Channel) Tx() error { return ch.ch.Tx() }

// TxCommit commits the transaction and begins the next.
func (ch *Channel) TxCommit() error { return ch.ch.TxCommit() }

// TxRollback drops the transaction and begins the next.
func (ch *Channel) TxRollback() error { return ch.ch.TxRollback() }
