package newapi

import (
	"fmt"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// This file is the reader's side of a channel: nothing in it may wait.

// methodFrame handles a method. An error ends the connection.
func (ch *Channel) methodFrame(payload []byte) error {
	id, arguments, err := wire.ParseMethodID(payload)
	if err != nil {
		return err
	}
	if ch.content.state == awaitsHeader || ch.content.state == awaitsBody {
		return fmt.Errorf("%w: %v in the middle of a message on channel %d", ErrUnexpectedFrame, id, ch.id)
	}
	ch.content.state = noContent
	switch id {
	case wire.IDBasicDeliver:
		return ch.deliverMethod(arguments)
	case wire.IDBasicAck:
		var m wire.BasicAck
		if err := m.DecodeArguments(arguments); err != nil {
			return err
		}
		ch.confirms.confirm(m.DeliveryTag, m.Multiple, true)
		return nil
	case wire.IDBasicNack:
		var m wire.BasicNack
		if err := m.DecodeArguments(arguments); err != nil {
			return err
		}
		ch.confirms.confirm(m.DeliveryTag, m.Multiple, false)
		return nil
	}
	m, err := wire.ParseMethod(payload)
	if err != nil {
		return err
	}
	return ch.method(m)
}

func (ch *Channel) method(m wire.Method) error {
	switch m := m.(type) {
	case *wire.BasicReturn:
		ch.content.begin(m.ID(), []byte(m.Exchange), []byte(m.RoutingKey))
		ch.content.replyCode, ch.content.replyText = m.ReplyCode, m.ReplyText
	case *wire.BasicGetOk:
		ch.content.begin(m.ID(), []byte(m.Exchange), []byte(m.RoutingKey))
		ch.content.deliveryTag, ch.content.redelivered, ch.content.messageCount = m.DeliveryTag, m.Redelivered, m.MessageCount
	case *wire.BasicCancel:
		ch.cancels.send(m.ConsumerTag)
		ch.unregister(m.ConsumerTag, nil)
		if !m.NoWait {
			return ch.reply(&wire.BasicCancelOk{ConsumerTag: m.ConsumerTag})
		}
	case *wire.ChannelFlow:
		ch.flows.send(m.Active)
		return ch.reply(&wire.ChannelFlowOk{Active: m.Active})
	case *wire.ChannelClose:
		if !ch.conn.writer.silence(ch, &wire.ChannelCloseOk{}) {
			_ = ch.conn.writer.control(ch.id, &wire.ChannelCloseOk{}) // both sides closed at once
		}
		ch.conn.release(ch)
		ch.end(serverError(m.ReplyCode, m.ReplyText))
	case *wire.ChannelOpenOk:
		ch.opened = true
		return ch.answered(m)
	case *wire.ChannelCloseOk:
		if !ch.opened {
			// The last channel of this id: its close and the broker's crossed, and the
			// broker's was the end of it.
			return nil
		}
		if err := ch.answered(m); err != nil {
			return err
		}
		if ch.failing {
			ch.conn.release(ch)
		}
	default:
		return ch.answered(m)
	}
	return nil
}

// answered hands an answer to whom it is for.
func (ch *Channel) answered(m wire.Method) error {
	if !ch.calls.deliver(m) && !ch.closed.Load() {
		return fmt.Errorf("%w: %v on channel %d", ErrCommandInvalid, m.ID(), ch.id)
	}
	return nil
}

// reply sends an answer that nothing depends on here: if the connection is going
// away it need not arrive.
func (ch *Channel) reply(m wire.Method) error {
	if !ch.closed.Load() {
		_ = ch.conn.writer.control(ch.id, m)
	}
	return nil
}

// deliverMethod is the hot half of basic.deliver.
func (ch *Channel) deliverMethod(arguments []byte) error {
	m, err := wire.ParseBasicDeliver(arguments)
	if err != nil {
		return err
	}
	c := ch.consumer(m.ConsumerTag)
	if c == nil { // cancelled without waiting, or the channel is ending
		ch.content.state = skipsContent
		return nil
	}
	ch.content.begin(wire.IDBasicDeliver, m.Exchange, m.RoutingKey)
	ch.content.consumer = c
	ch.content.deliveryTag, ch.content.redelivered = m.DeliveryTag, m.Redelivered
	return nil
}

func (ch *Channel) headerFrame(payload []byte) error {
	if ch.content.state == skipsContent {
		return nil
	}
	if ch.content.state != awaitsHeader {
		return fmt.Errorf("%w: content header without a method on channel %d", ErrUnexpectedFrame, ch.id)
	}
	h, err := wire.ParseContentHeader(payload)
	if err != nil {
		return err
	}
	if limit := ch.conn.Config.MaxMessageSize; limit > 0 && h.BodySize > uint64(limit) {
		ch.content.state = skipsContent
		ch.fail(&Error{Code: ContentTooLarge, Reason: fmt.Sprintf(
			"message body of %d octets exceeds Config.MaxMessageSize, %d", h.BodySize, limit)})
		return nil
	}
	ch.content.header(h)
	if h.BodySize == 0 {
		ch.complete()
	}
	return nil
}

func (ch *Channel) bodyFrame(payload []byte) error {
	if ch.content.state == skipsContent {
		return nil
	}
	if ch.content.state == noContent && len(payload) == 0 {
		return nil // an empty body needs no frame, but may have one
	}
	if ch.content.state != awaitsBody {
		return fmt.Errorf("%w: body frame without a content header on channel %d", ErrUnexpectedFrame, ch.id)
	}
	if !ch.content.piece(payload) {
		return fmt.Errorf("%w: body longer than its content header said, on channel %d", ErrUnexpectedFrame, ch.id)
	}
	if ch.content.remaining == 0 {
		ch.complete()
	}
	return nil
}

// complete hands a whole message to whom it is for.
func (ch *Channel) complete() {
	ct := &ch.content
	exchange, routingKey, properties, body := ct.finish()
	if ct.method == wire.IDBasicReturn {
		r := Return{
			ReadOnlyBasicProperties: properties,
			ReplyCode:               ct.replyCode, ReplyText: ct.replyText,
			Exchange: exchange, RoutingKey: routingKey, Body: body,
		}
		ch.confirms.returned(r)
		ch.returns.sendSized(r, returnSize(&r))
		return
	}
	// Put together here and nowhere else: a Delivery is large to copy.
	d := Delivery{
		ReadOnlyBasicProperties: properties,
		Acknowledger:            ch,
		DeliveryTag:             ct.deliveryTag, Redelivered: ct.redelivered,
		Exchange: exchange, RoutingKey: routingKey, Body: body,
	}
	if ct.method == wire.IDBasicGetOk {
		d.MessageCount = ct.messageCount
		ch.calls.deliver(&getOk{delivery: d})
		return
	}
	c := ct.consumer
	ct.consumer = nil
	d.ConsumerTag = c.tag()
	if !put(c, &d, ch.conn.Config.ConsumerBufferBytes) {
		ch.fail(ErrConsumerOverrun)
	}
}

// returnSize is what a return that waits for its listener counts for.
func returnSize(r *Return) int64 {
	const self = 128
	return int64(len(r.Body)+len(r.Exchange)+len(r.RoutingKey)+len(r.encoded)) + self
}

// deliverySize is what an unread delivery counts for: its octets, and itself.
func deliverySize(d *Delivery) int64 {
	const self = 160
	return int64(len(d.Body)+len(d.Exchange)+len(d.RoutingKey)+len(d.encoded)) + self
}
