package amqptest

import (
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// confirm is the broker's word on one publish.
type confirm struct {
	tag uint64
	ack bool
}

func (ch *channel) confirmSelect(m *wire.ConfirmSelect) error {
	if ch.mode == transactional {
		return channelError(amqp091.PreconditionFailed, "cannot switch from tx to confirm mode")
	}
	ch.mode = confirming
	ch.reply(m.NoWait, &wire.ConfirmSelectOk{})
	return nil
}

// confirm settles a publish. The client hears of it when there is nothing more
// of its own to read, so that many confirms go as one.
func (ch *channel) confirm(tag uint64, ack bool) {
	ch.confirms = append(ch.confirms, confirm{tag, ack})
	ch.conn.unconfirmed[ch] = struct{}{}
}

// flushConfirms sends the confirms that wait, unless a test holds them. They
// are in the order of their tags with none left out, so a run of equal ones is
// a single method with the multiple bit.
func (ch *channel) flushConfirms() {
	if ch.server().faults.holdConfirms {
		return
	}
	for len(ch.confirms) > 0 {
		run := 1
		for run < len(ch.confirms) && ch.confirms[run].ack == ch.confirms[0].ack {
			run++
		}
		last := ch.confirms[run-1]
		if last.ack {
			ch.send(&wire.BasicAck{DeliveryTag: last.tag, Multiple: run > 1})
		} else {
			ch.send(&wire.BasicNack{DeliveryTag: last.tag, Multiple: run > 1})
		}
		ch.confirms = ch.confirms[run:]
	}
	ch.confirms = nil
	delete(ch.conn.unconfirmed, ch)
}

// flushConfirms sends the confirms of all channels that have any.
func (c *conn) flushConfirms() {
	if len(c.unconfirmed) == 0 {
		return
	}
	for _, ch := range c.sortedChannels() {
		ch.flushConfirms()
	}
}

// sendConfirms is flushConfirms for those who do not hold the server's lock.
func (c *conn) sendConfirms() {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.flushConfirms()
}
