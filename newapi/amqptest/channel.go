package amqptest

import (
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// mode is what a channel does with publishes and acknowledgements.
type mode int

const (
	plain mode = iota
	confirming
	transactional
)

// channel is one channel of a connection. Everything in it is the server
// lock's.
type channel struct {
	conn    *conn
	id      uint16
	closing bool // close sent, close-ok expected
	mode    mode
	content assembly

	lastQueue string // what an empty queue name means

	consumers        map[string]*consumer
	consumerPrefetch int // of consumers to come; 0 is no limit
	prefetch         int // of all consumers together; 0 is no limit
	outstanding      int // deliveries to consumers that are not settled
	unacked          []*delivery
	lastTag          uint64

	published uint64    // publishes in confirm mode
	confirms  []confirm // settled, not yet told to the client

	tx transaction

	replyKey      string    // the prefix-qualified key of direct replies
	replyConsumer *consumer // nil until the client consumes from amq.rabbitmq.reply-to
}

func newChannel(c *conn, id uint16) *channel {
	return &channel{conn: c, id: id, consumers: make(map[string]*consumer)}
}

func (ch *channel) server() *Server { return ch.conn.server }

func (ch *channel) vhost() *vhost { return ch.conn.vhost }

// handle takes one frame of an open channel, or of one that is closing.
func (ch *channel) handle(f wire.Frame) error {
	if ch.closing {
		return ch.handleClosing(f)
	}
	switch f.Type {
	case wire.FrameHeader:
		if err := ch.content.header(f.Payload); err != nil {
			return blame(err, ch.contentOwner())
		}
		if most := ch.server().faults.maxMessageSize; ch.content.size > uint64(most) {
			size := ch.content.size
			return blame(channelError(amqp091.PreconditionFailed, "message size %d is larger than configured max size %d", size, most), wire.IDBasicPublish)
		}
	case wire.FrameBody:
		if err := ch.content.more(f.Payload); err != nil {
			return blame(err, ch.contentOwner())
		}
	default:
		if ch.content.active() {
			return blame(connectionError(amqp091.UnexpectedFrame, "expected content of class %d, got method frame instead", wire.ClassBasic), wire.IDBasicPublish)
		}
		m, err := wire.ParseMethod(f.Payload)
		if err != nil {
			id, _, _ := wire.ParseMethodID(f.Payload)
			return blame(malformed(err), id)
		}
		return blame(ch.handleMethod(m), m.ID())
	}
	if ch.content.complete() {
		return blame(ch.publish(ch.content.take()), wire.IDBasicPublish)
	}
	return nil
}

// contentOwner is the method that a content frame belongs to, 0 if none.
func (ch *channel) contentOwner() wire.MethodID {
	if ch.content.active() {
		return wire.IDBasicPublish
	}
	return 0
}

func (ch *channel) handleMethod(m wire.Method) error {
	switch m := m.(type) {
	case *wire.ChannelOpen:
		return connectionError(amqp091.ChannelError, "second 'channel.open' seen")
	case *wire.ChannelClose:
		ch.flushConfirms()
		ch.release()
		delete(ch.conn.channels, ch.id)
		ch.send(&wire.ChannelCloseOk{})
		return nil
	case *wire.ChannelFlow:
		if !m.Active {
			return connectionError(amqp091.NotImplemented, "active=false")
		}
		ch.send(&wire.ChannelFlowOk{Active: true})
		return nil

	case *wire.ExchangeDeclare:
		return ch.declareExchange(m)
	case *wire.ExchangeDelete:
		return ch.deleteExchange(m)
	case *wire.ExchangeBind:
		return ch.bindExchange(m)
	case *wire.ExchangeUnbind:
		return ch.unbindExchange(m)

	case *wire.QueueDeclare:
		return ch.declareQueue(m)
	case *wire.QueueBind:
		return ch.bindQueue(m)
	case *wire.QueueUnbind:
		return ch.unbindQueue(m)
	case *wire.QueuePurge:
		return ch.purgeQueue(m)
	case *wire.QueueDelete:
		return ch.deleteQueue(m)

	case *wire.BasicQos:
		return ch.qos(m)
	case *wire.BasicConsume:
		return ch.consume(m)
	case *wire.BasicCancel:
		return ch.cancel(m)
	case *wire.BasicPublish:
		ch.content.begin(m)
		return nil
	case *wire.BasicGet:
		return ch.get(m)
	case *wire.BasicAck:
		return ch.settle(m.DeliveryTag, m.Multiple, accepted)
	case *wire.BasicNack:
		return ch.settle(m.DeliveryTag, m.Multiple, refused(m.Requeue))
	case *wire.BasicReject:
		return ch.settle(m.DeliveryTag, false, refused(m.Requeue))
	case *wire.BasicRecover:
		return ch.recover(m.Requeue, true)
	case *wire.BasicRecoverAsync:
		return ch.recover(m.Requeue, false)

	case *wire.ConfirmSelect:
		return ch.confirmSelect(m)
	case *wire.TxSelect:
		return ch.txSelect()
	case *wire.TxCommit:
		return ch.txCommit()
	case *wire.TxRollback:
		return ch.txRollback()
	}
	return connectionError(amqp091.CommandInvalid, "unimplemented method")
}

// handleClosing takes a frame after channel.close was sent: all but the end of
// the handshake is ignored.
func (ch *channel) handleClosing(f wire.Frame) error {
	if f.Type != wire.FrameMethod {
		return nil
	}
	switch id, _, _ := wire.ParseMethodID(f.Payload); id {
	case wire.IDChannelCloseOk:
		delete(ch.conn.channels, ch.id)
	case wire.IDChannelClose: // both sides closed at once; the client's close-ok is still to come
		ch.send(&wire.ChannelCloseOk{})
	}
	return nil
}

// fail sends channel.close. The channel takes no part in anything any more,
// but its number is in use until the client has answered.
func (ch *channel) fail(e *exception) {
	ch.flushConfirms()
	ch.release()
	ch.closing = true
	ch.send(&wire.ChannelClose{
		ReplyCode: e.code,
		ReplyText: e.text,
		ClassID:   e.method.Class(),
		MethodID:  e.method.Method(),
	})
}

// release ends the consumers, gives unsettled messages back to their queues
// and drops what was not committed.
func (ch *channel) release() {
	consumers := ch.queueConsumers()
	ch.consumers = map[string]*consumer{}
	for _, c := range consumers {
		c.queue.detach(c)
	}
	ch.endReplies()

	unsettled := append(ch.tx.unsettled(), ch.unacked...)
	ch.tx = transaction{}
	ch.unacked = nil
	ch.outstanding = 0
	requeue(unsettled)
	for _, c := range consumers {
		c.queue.deleteIfUnused()
	}

	ch.confirms = nil
	ch.content = assembly{}
	delete(ch.conn.unconfirmed, ch)
}

func (ch *channel) send(m wire.Method) { ch.conn.send(ch.id, m) }

// reply answers a request, unless its no-wait bit asked for silence.
func (ch *channel) reply(noWait bool, m wire.Method) {
	if !noWait {
		ch.send(m)
	}
}
