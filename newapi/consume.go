package newapi

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Consume starts a consumer on a queue and returns the chan of its deliveries,
// which is closed when the consumer is cancelled, by either side, or the channel
// ends. With an empty consumer tag one is made; it is in Delivery.ConsumerTag.
//
// Unless autoAck is set, each delivery must be answered with Ack, Nack or Reject.
// Deliveries that are not received wait in memory, up to the prefetch that Qos
// sets, or up to Config.ConsumerBufferBytes without one. RabbitMQ ignores noLocal.
func (ch *Channel) Consume(queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args Table) (<-chan Delivery, error) {
	return ch.consume(context.Background(), queue, consumer, autoAck, exclusive, noLocal, noWait, args)
}

// ConsumeWithContext is Consume with a consumer that is cancelled when ctx ends.
func (ch *Channel) ConsumeWithContext(ctx context.Context, queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args Table) (<-chan Delivery, error) {
	if ch == nil || ch.conn == nil {
		return nil, ErrClosed
	}
	ctx = orBackground(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return ch.consume(ctx, queue, consumer, autoAck, exclusive, noLocal, noWait, args)
}

func (ch *Channel) consume(ctx context.Context, queue, tag string, autoAck, exclusive, noLocal, noWait bool, args Table) (<-chan Delivery, error) {
	if ch == nil || ch.conn == nil {
		return nil, ErrClosed
	}
	if tag == "" {
		tag = newConsumerTag()
	}
	c := newChanConsumer(ch, tag)
	if err := ch.subscribe(c, queue, autoAck, exclusive, noLocal, noWait, args); err != nil {
		return nil, err
	}
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { _ = ch.cancel(tag, c, false) })
		ch.consumersMu.Lock()
		current := ch.consumers[tag] == consumer(c)
		if current {
			c.stop = stop
		}
		ch.consumersMu.Unlock()
		if !current { // it has ended already
			stop()
		}
	}
	return c.out, nil
}

// subscribe makes c known and asks the broker for deliveries, in this order since
// they may come before the answer.
func (ch *Channel) subscribe(c consumer, queue string, autoAck, exclusive, noLocal, noWait bool, args Table) error {
	if err := ch.register(c); err != nil {
		return err
	}
	err := ch.request(&wire.BasicConsume{
		Queue: queue, ConsumerTag: c.tag(), NoLocal: noLocal, NoAck: autoAck,
		Exclusive: exclusive, NoWait: noWait, Arguments: args,
	}, noWait, wire.IDBasicConsumeOk)
	if err != nil {
		ch.unregister(c.tag(), c)
	}
	return err
}

func (ch *Channel) register(c consumer) error {
	ch.consumersMu.Lock()
	defer ch.consumersMu.Unlock()
	if ch.ended {
		return ErrClosed
	}
	if ch.consumers[c.tag()] != nil {
		return fmt.Errorf("newapi: consumer tag %q is in use on this channel", c.tag())
	}
	ch.consumers[c.tag()] = c
	return nil
}

// unregister ends a consumer; with only != nil, only that one.
func (ch *Channel) unregister(tag string, only consumer) {
	ch.consumersMu.Lock()
	c := ch.consumers[tag]
	if c == nil || only != nil && c != only {
		ch.consumersMu.Unlock()
		return
	}
	delete(ch.consumers, tag)
	ch.consumersMu.Unlock()
	c.finish()
}

func (ch *Channel) consumer(tag []byte) consumer {
	ch.consumersMu.Lock()
	defer ch.consumersMu.Unlock()
	return ch.consumers[string(tag)]
}

// Cancel ends a consumer. Deliveries that have arrived can still be received from
// its chan, which is closed after them. With noWait it does not wait for the
// broker's answer, and deliveries under way are dropped.
func (ch *Channel) Cancel(consumer string, noWait bool) error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	return ch.cancel(consumer, ch.consumer([]byte(consumer)), noWait)
}

// cancel ends c, which was found under this tag; nil if none was. By the time the
// request is sent the tag may be another consumer's, who is left alone.
func (ch *Channel) cancel(tag string, c consumer, noWait bool) error {
	request := &basicCancel{BasicCancel: wire.BasicCancel{ConsumerTag: tag, NoWait: noWait}, ch: ch, consumer: c}
	err := ch.request(request, noWait, wire.IDBasicCancelOk)
	if errors.Is(err, errConsumerEnded) {
		return nil
	}
	if err == nil && c != nil {
		ch.unregister(tag, c)
	}
	return err
}

var errConsumerEnded = errors.New("newapi: the consumer has ended")

// basicCancel looks at whom it cancels where it is encoded, under the writer's
// lock: the request that starts a successor cannot be ahead of it.
type basicCancel struct {
	wire.BasicCancel
	ch       *Channel
	consumer consumer
}

func (m *basicCancel) AppendArguments(dst []byte) ([]byte, error) {
	if m.ch.consumer([]byte(m.ConsumerTag)) != m.consumer {
		return dst, errConsumerEnded
	}
	return m.BasicCancel.AppendArguments(dst)
}

// Qos sets how many deliveries, and with RabbitMQ only deliveries, the broker
// sends ahead of acknowledgements: to each consumer that begins after it, or with
// global to all of the channel together.
func (ch *Channel) Qos(prefetchCount, prefetchSize int, global bool) error {
	if prefetchCount < 0 || prefetchCount > math.MaxUint16 {
		return fmt.Errorf("newapi: prefetchCount %d; it must be from 0, no limit, to %d", prefetchCount, math.MaxUint16)
	}
	if prefetchSize < 0 || int64(prefetchSize) > math.MaxUint32 {
		return fmt.Errorf("newapi: prefetchSize %d; it must be from 0, no limit, to %d", prefetchSize, uint32(math.MaxUint32))
	}
	_, err := ch.call(&wire.BasicQos{
		PrefetchCount: uint16(prefetchCount), PrefetchSize: uint32(prefetchSize), Global: global,
	}, wire.IDBasicQosOk)
	return err
}

// Get takes one message from a queue; ok is false if it has none. Unless autoAck
// is set the message must be acknowledged like any other delivery.
func (ch *Channel) Get(queue string, autoAck bool) (msg Delivery, ok bool, err error) {
	answer, err := ch.call(&wire.BasicGet{Queue: queue, NoAck: autoAck}, wire.IDBasicGetOk, wire.IDBasicGetEmpty)
	if err != nil {
		return Delivery{}, false, err
	}
	if got, ok := answer.(*getOk); ok {
		return got.delivery, true, nil
	}
	return Delivery{}, false, nil
}

// getOk is basic.get-ok with its content.
type getOk struct {
	wire.BasicGetOk
	delivery Delivery
}

// Ack acknowledges the delivery with this tag, or with multiple all up to it. It
// returns when the acknowledgement is with the kernel.
func (ch *Channel) Ack(tag uint64, multiple bool) error {
	return ch.answer(tag, multiple, func(dst []byte) ([]byte, error) {
		return wire.AppendBasicAck(dst, ch.id, tag, multiple), nil
	})
}

// Nack refuses the delivery with this tag, or with multiple all up to it. The
// broker delivers them again if requeue is set, and drops or dead-letters them if
// not.
func (ch *Channel) Nack(tag uint64, multiple, requeue bool) error {
	return ch.answer(tag, multiple, func(dst []byte) ([]byte, error) {
		return wire.AppendBasicNack(dst, ch.id, tag, multiple, requeue), nil
	})
}

// Reject is Nack for one delivery, as the protocol had it first.
func (ch *Channel) Reject(tag uint64, requeue bool) error {
	return ch.answer(tag, false, func(dst []byte) ([]byte, error) {
		return wire.AppendBasicReject(dst, ch.id, tag, requeue), nil
	})
}

func (ch *Channel) answer(tag uint64, multiple bool, encode func(dst []byte) ([]byte, error)) error {
	if ch == nil || ch.conn == nil {
		return ErrClosed
	}
	if err := ch.handed.answer(tag, multiple); err != nil {
		return err
	}
	return ch.conn.writer.send(ch, encode)
}

// Recover asks the broker to deliver everything unacknowledged again. RabbitMQ
// supports it with requeue only.
//
// Deprecated: use Nack with requeue.
func (ch *Channel) Recover(requeue bool) error {
	_, err := ch.call(&wire.BasicRecover{Requeue: requeue}, wire.IDBasicRecoverOk)
	if err == nil {
		ch.handed.forgetAll()
	}
	return err
}
