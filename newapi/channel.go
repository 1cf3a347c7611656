package newapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Channel is a channel of a connection: the unit of ordering, of confirms and of
// errors. An error that the broker raises closes the channel; open a new one.
//
// All methods are safe for concurrent use. Calls that the broker answers are
// carried out one at a time; publishes and acknowledgements do not wait for them.
//
// A chan that is given to a Notify method may be registered with several channels
// and connections: it is closed when the last of them has ended, and never by the
// user; after that it cannot be registered again. A nil chan is ignored, and so is
// one that the same method of the same channel has registered before. A receiver
// that falls behind holds nothing up; it misses notices only when it is 65,536
// behind.
//
// A nil *Channel and &Channel{} are closed channels: what can fail fails with
// ErrClosed, and the Notify methods close the chan at once.
type Channel struct {
	conn *Connection
	id   uint16

	// Changed under the writer's lock only, so that they change at one point of
	// the order in which octets go out.
	silenced   bool
	confirming atomic.Bool

	closed   atomic.Bool
	released atomic.Bool // its id is free; changed under conn.mu only
	shutdown sync.Once
	reason   atomic.Pointer[Error] // why it ended, unless by Close
	done     chan struct{}         // closed by end

	calls    caller
	confirms confirms

	closes  listeners[*Error]
	flows   listeners[bool]
	returns listeners[Return]
	cancels listeners[string]
	acks    tagChans // of NotifyConfirm
	nacks   tagChans // likewise

	consumersMu sync.Mutex
	consumers   map[string]consumer
	ended       bool         // no consumer may be added any more
	unread      atomic.Int64 // octets held by deliveries nobody has received
	handed      handedOut

	// Only the reader touches these.
	content content
	opened  bool // channel.open-ok has come
	failing bool // channel.close was sent because of an error of our own
}

var _ Publisher = (*Channel)(nil)

func newChannel(c *Connection, id uint16) *Channel {
	ch := &Channel{conn: c, id: id, done: make(chan struct{}), consumers: make(map[string]consumer)}
	ch.confirms.limit, ch.confirms.returns = c.Config.MaxUnconfirmed, &ch.returns
	ch.confirms.span = max(confirmSpan, uint64(max(c.Config.MaxUnconfirmed, 0)))
	ch.calls.init()
	return ch
}

// PublishEncoded sends a message whose content header is encoded already; it is
// what BasicPublish and BasicPublishDeferred call. It returns when the octets are
// with the kernel or, if m.Deferred is set without m.Written and the channel is in
// confirm mode, or with Config.Buffered, when the message is admitted to the send
// buffer. m.Header and m.Body may be reused as soon as it returns.
//
// While the message waits its turn, the end of ctx and Config.PublishTimeout
// (ErrPublishTimeout) end the wait, and nothing of it is sent. Once its octets are
// being written nothing but the connection's end can stop them.
//
// It returns ErrClosed if the channel is closed. What cannot be sent is refused as
// BasicPublish refuses it, a Header that is not exactly one property list included.
func (ch *Channel) PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
	if ch == nil || ch.conn == nil {
		return nil, ErrClosed
	}
	if err := m.check(ch); err != nil {
		return nil, err
	}
	if err := wire.ValidateProperties(m.Header); err != nil {
		return nil, fmt.Errorf("newapi: EncodedMessage.Header is no property list: %w", err)
	}
	return ch.publishEncoded(orBackground(ctx), &m)
}

// publishEncoded is PublishEncoded for a message that has been checked.
func (ch *Channel) publishEncoded(ctx context.Context, m *EncodedMessage) (*DeferredConfirmation, error) {
	if ch == nil || ch.conn == nil {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// class, weight and body size go before the properties
	if err := ch.checkFrame(len(m.Header) + 12 + wire.FrameOverhead); err != nil {
		return nil, err
	}
	if ch.confirming.Load() && ch.confirms.isBounded() {
		return ch.publishReserved(ctx, m)
	}
	d, err := ch.conn.writer.publish(ctx, ch, m)
	if err == errNoPlace {
		return ch.publishReserved(ctx, m)
	}
	return d, err
}

// errNoPlace turns back a publish that was in line when confirm mode began.
var errNoPlace = errors.New("newapi: no place was reserved for the message")

// lacksPlace reports that m must not be sent before it has reserved a place. The
// writer's lock is held.
func (ch *Channel) lacksPlace(m *EncodedMessage) bool {
	return ch.confirms.limit > 0 && !m.reserved && ch.confirming.Load()
}

// publishReserved is for Config.MaxUnconfirmed and for a channel whose confirms
// stay out: it waits for one of the places.
func (ch *Channel) publishReserved(ctx context.Context, m *EncodedMessage) (*DeferredConfirmation, error) {
	if err := ch.confirms.reserve(ctx, ch.conn.Config.PublishTimeout); err != nil {
		return nil, err
	}
	m.reserved = true
	d, err := ch.conn.writer.publish(ctx, ch, m)
	if err != nil {
		ch.confirms.unreserve()
	}
	return d, err
}

// published gives a message that has just been appended its tag. The writer's
// lock is held.
func (ch *Channel) published(m *EncodedMessage) *DeferredConfirmation {
	if !ch.confirming.Load() {
		return nil
	}
	return ch.confirms.publish(m)
}

// Flush returns when every message admitted so far is with the kernel, or with
// ctx.Err() if ctx ends first. It is for Config.Buffered and deferred publishes;
// a plain publish that has returned needs none.
func (ch *Channel) Flush(ctx context.Context) error {
	if ch == nil || ch.conn == nil || ch.closed.Load() {
		return ErrClosed
	}
	return ch.conn.writer.drain(orBackground(ctx))
}

// Close closes the channel after what was published on it, and waits for the
// broker's answer. Futures still outstanding end as ErrLost, consumers' and
// listeners' chans are closed. Closing a closed channel returns nil.
func (ch *Channel) Close() error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	ch.calls.turn.Lock()
	defer ch.calls.turn.Unlock()
	if ch.closed.Load() {
		return nil
	}
	answer := ch.calls.expect(wire.IDChannelCloseOk)
	ch.conn.writer.silence(ch, &wire.ChannelClose{ReplyCode: replySuccess, ReplyText: "closed by the client"})
	_, err := ch.calls.await(answer)
	if err == nil { // else the reader frees the id, when the broker has answered
		ch.conn.release(ch)
	}
	ch.end(nil)
	return err
}

// neverOpened stands in for a nil or zero Channel in the Notify methods.
var neverOpened = func() *Channel {
	ch := &Channel{done: closedChan}
	ch.closes.close()
	ch.flows.close()
	ch.returns.close()
	ch.cancels.close()
	ch.confirms.listeners.close()
	return ch
}()

// orEnded returns ch or, in place of a nil or zero one, a channel that has ended.
func (ch *Channel) orEnded() *Channel {
	if ch == nil || ch.conn == nil {
		return neverOpened
	}
	return ch
}

// IsClosed reports whether the channel is closed.
func (ch *Channel) IsClosed() bool { return ch == nil || ch.conn == nil || ch.closed.Load() }

// end closes everything of the channel once. reason is nil for a graceful close.
func (ch *Channel) end(reason *Error) {
	ch.shutdown.Do(func() {
		ch.reason.Store(reason)
		ch.closed.Store(true)
		ch.conn.writer.silence(ch, nil)
		ch.calls.end(reason)
		var lost error = ErrClosed
		if reason != nil {
			lost = reason
		}
		ch.confirms.close(lost)

		ch.consumersMu.Lock()
		consumers := ch.consumers
		ch.consumers, ch.ended = nil, true
		ch.consumersMu.Unlock()
		close(ch.done)
		for _, consumer := range consumers {
			consumer.finish()
		}

		if reason != nil {
			ch.closes.send(reason)
		}
		ch.closes.close()
		ch.flows.close()
		ch.returns.close()
		ch.cancels.close()
	})
}

// fail closes the channel because of an error found on this side. The id stays
// taken until the broker has answered. Only the reader calls it.
func (ch *Channel) fail(reason *Error) {
	ch.failing = true
	ch.conn.writer.silence(ch, &wire.ChannelClose{ReplyCode: uint16(reason.Code), ReplyText: reason.Reason})
	ch.end(reason)
}

// Confirm puts the channel into confirm mode: from then on every publish gets a
// tag, counted from 1, and the broker answers each with an ack or a nack. With
// noWait it does not wait for the broker's answer.
func (ch *Channel) Confirm(noWait bool) error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	// The broker counts from confirm.select on, so this side counts from the
	// octets of confirm.select on.
	request := confirmSelect{ConfirmSelect: wire.ConfirmSelect{NoWait: noWait}, ch: ch}
	if noWait {
		return ch.cast(&request)
	}
	_, err := ch.call(&request, wire.IDConfirmSelectOk)
	return err
}

// confirmSelect turns confirm mode on where it is encoded, under the writer's
// lock.
type confirmSelect struct {
	wire.ConfirmSelect
	ch *Channel
}

func (m *confirmSelect) AppendArguments(dst []byte) ([]byte, error) {
	m.ch.confirming.Store(true)
	return m.ConfirmSelect.AppendArguments(dst)
}

// GetNextPublishSeqNo returns the tag that the next publish will get in confirm
// mode. With several publishers it may be taken by the time it is used; the tag
// in a DeferredConfirmation is certain.
func (ch *Channel) GetNextPublishSeqNo() uint64 {
	if ch == nil {
		return 1
	}
	return ch.confirms.nextTag()
}

// NotifyClose registers a chan that receives the reason when the channel or its
// connection ends for any reason but Close, and that is closed in any case. It
// returns c. A notice that is not taken waits for up to 5 s.
func (ch *Channel) NotifyClose(c chan *Error) chan *Error { return ch.orEnded().closes.add(c) }

// NotifyFlow registers a chan that receives the broker's channel.flow: false asks
// publishers to pause. RabbitMQ does not send it. It returns c.
func (ch *Channel) NotifyFlow(c chan bool) chan bool { return ch.orEnded().flows.add(c) }

// NotifyReturn registers a chan that receives what the broker sends back of
// mandatory and immediate publishes, and that is closed with the channel. It
// returns c. DeferredConfirmation.Result tells the same for each publish.
//
// Returns that c has no room for wait in memory, up to 65,536 of them and 16 MiB,
// of which a single one may be larger; what comes beyond that is dropped.
func (ch *Channel) NotifyReturn(c chan Return) chan Return { return ch.orEnded().returns.add(c) }

// NotifyReturnAs is NotifyReturn for a chan of the caller's own type, as packages
// that keep another API alive over this one hand out: c receives what convert
// makes of each return. What goes for the order of NotifyReturn goes for it too,
// which no goroutine in between could promise: a return is in c, if c has room,
// before the confirmation of the same message is out.
//
// The connection's reader calls convert, so it must not wait for anything.
func NotifyReturnAs[T any](ch *Channel, c chan T, convert func(Return) T) chan T {
	if c != nil {
		ch.orEnded().returns.register(c, func() notices[Return] { return converted[Return, T]{newListener(c), convert} })
	}
	return c
}

// NotifyCancel registers a chan that receives the tags of consumers that the
// broker has cancelled, for instance because their queue was deleted. It returns
// c.
func (ch *Channel) NotifyCancel(c chan string) chan string { return ch.orEnded().cancels.add(c) }

// NotifyPublish registers a chan that receives one Confirmation for each publish
// in confirm mode, in the order of their tags, and that is closed with the
// channel. It returns confirm. A receiver that falls behind by more than its
// capacity and 65,536 confirmations misses some.
func (ch *Channel) NotifyPublish(confirm chan Confirmation) chan Confirmation {
	return ch.orEnded().confirms.listeners.add(confirm)
}

// Flow asks the broker to pause (false) or resume deliveries on the channel.
// RabbitMQ refuses to pause; use Qos.
func (ch *Channel) Flow(active bool) error {
	_, err := ch.call(&wire.ChannelFlow{Active: active}, wire.IDChannelFlowOk)
	return err
}

// Tx puts the channel into transaction mode: publishes and acknowledgements take
// effect with TxCommit or not at all.
func (ch *Channel) Tx() error {
	_, err := ch.call(&wire.TxSelect{}, wire.IDTxSelectOk)
	return err
}

// TxCommit commits the transaction and begins the next.
func (ch *Channel) TxCommit() error {
	_, err := ch.call(&wire.TxCommit{}, wire.IDTxCommitOk)
	return err
}

// TxRollback drops the transaction and begins the next.
func (ch *Channel) TxRollback() error {
	_, err := ch.call(&wire.TxRollback{}, wire.IDTxRollbackOk)
	return err
}
