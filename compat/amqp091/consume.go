package amqp091

import (
	"context"

	"github.com/amqpfix/amqpfix/newapi"
)

// Consume starts a consumer on a queue and returns the chan of its deliveries,
// which is unbuffered. With an empty consumer tag one is made.
//
// Unless autoAck is set, each delivery must be answered with Ack, Nack or Reject.
// Deliveries that are not received wait in memory, as many as there are: a
// prefetch (Qos) bounds them. The chan is closed when the consumer is cancelled,
// after what had arrived was received, and when the channel ends; then what was
// not received yet is dropped. RabbitMQ ignores noLocal.
func (ch *Channel) Consume(queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args Table) (<-chan Delivery, error) {
	return ch.ConsumeWithContext(context.Background(), queue, consumer, autoAck, exclusive, noLocal, noWait, args)
}

// ConsumeWithContext is Consume with a consumer that is cancelled when ctx ends.
func (ch *Channel) ConsumeWithContext(ctx context.Context, queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args Table) (<-chan Delivery, error) {
	if err := args.Validate(); err != nil {
		return nil, err
	}
	in, err := ch.ch.ConsumeWithContext(ctx, queue, consumer, autoAck, exclusive, noLocal, noWait, args)
	if err != nil {
		return nil, err
	}
	out := make(chan Delivery)
	go ch.forward(out, in)
	return out, nil
}

// forward ends when the consumer or the channel does, read or not.
func (ch *Channel) forward(out chan<- Delivery, in <-chan newapi.Delivery) {
	defer close(out)
	ended := ch.ended()
	for d := range in {
		select {
		case out <- ch.delivery(d):
		case <-ended:
			return
		}
	}
}

// Cancel ends a consumer. Deliveries that have arrived can still be received from
// its chan, which is closed after them. With noWait it does not wait for the
// broker's answer, and deliveries under way are dropped.
func (ch *Channel) Cancel(consumer string, noWait bool) error {
	return ch.ch.Cancel(consumer, noWait)
}

// Get takes one message from a queue; ok is false if it has none. Unless autoAck
// is set the message must be answered like any other delivery.
func (ch *Channel) Get(queue string, autoAck bool) (msg Delivery, ok bool, err error) {
	d, ok, err := ch.ch.Get(queue, autoAck)
	if err != nil || !ok {
		return Delivery{}, false, err
	}
	return ch.delivery(d), true, nil
}
