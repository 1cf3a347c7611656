package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// receiveCases compare a consumer that the sink delivers to as fast as it reads,
// messages with all properties.
func receiveCases() []comparison {
	var all []comparison
	add := func(size int, how string, peer, ours func(*lab) (subject, error)) {
		all = append(all, comparison{
			name:  "receive/" + sizeName(size) + "/" + how,
			units: withCPU(messageRate, allocsPerOp),
			peer:  peer,
			ours:  ours,
		})
	}
	for _, size := range []int{32, 1 << 10} {
		peer := receiveFrom(size, dialPeer, peerConsume, func(d amqp.Delivery) int { return len(d.Body) + len(d.MessageId) })
		read := func(d newapi.Delivery) int { return len(d.Body) + len(d.MessageId()) }
		add(size, "Consume", peer, receiveFrom(size, dialOurs, oursConsume, read))
		add(size, "ConsumeFunc", peer, receiveFrom(size, dialOurs, oursConsumeFunc, read))
	}
	// What the peer decodes for everybody, newapi decodes for those who ask.
	add(32, "Consume and read all headers",
		receiveFrom(32, dialPeer, peerConsume, func(d amqp.Delivery) int { return len(d.Body) + len(d.Headers) }),
		receiveFrom(32, dialOurs, oursConsume, func(d newapi.Delivery) int { return len(d.Body) + len(d.Headers()) }))
	return all
}

// receiving is a subject that consumes a queue of as many messages as it is to
// receive.
type receiving struct {
	size    int
	receive func(queue string, n int) (octets uint64, err error)
	got     tally
	conn    io.Closer
}

var errConsumerEnded = errors.New("the consumer ended early")

// consumeWay receives n messages of a queue and adds up what read makes of each.
type consumeWay[C channel, Delivery any] func(ch C, queue string, n int, read func(Delivery) int) (sum uint64, err error)

// receiveFrom returns a subject that receives what the sink delivers.
func receiveFrom[C channel, Delivery any](size int, dial dialer[C], consume consumeWay[C, Delivery], read func(Delivery) int) func(*lab) (subject, error) {
	return func(l *lab) (subject, error) {
		at, err := sinkEndpoint(l)
		if err != nil {
			return nil, err
		}
		to, err := dial(at)
		if err != nil {
			return nil, err
		}
		return &receiving{size: size, conn: to.conn, receive: func(queue string, n int) (uint64, error) {
			return consume(to.channel, queue, n, read)
		}}, nil
	}
}

// Run implements subject.
func (r *receiving) Run(n int) error {
	octets, err := r.receive(fmt.Sprintf(queueFormat, n, r.size), n)
	r.got.messages += uint64(n)
	r.got.octets += octets
	return err
}

// Delivered implements subject. The other end of a delivery is here.
func (r *receiving) Delivered() (tally, error) { return r.got, nil }

// Close implements subject.
func (r *receiving) Close() error { return r.conn.Close() }

const consumerTag = "bench"

func peerConsume(ch *amqp.Channel, queue string, n int, read func(amqp.Delivery) int) (uint64, error) {
	deliveries, err := ch.Consume(queue, consumerTag, true, false, false, false, nil)
	if err != nil {
		return 0, err
	}
	return drain(deliveries, n, read, func() error { return ch.Cancel(consumerTag, false) })
}

func oursConsume(ch *newapi.Channel, queue string, n int, read func(newapi.Delivery) int) (uint64, error) {
	deliveries, err := ch.Consume(queue, consumerTag, true, false, false, false, nil)
	if err != nil {
		return 0, err
	}
	return drain(deliveries, n, read, func() error { return ch.Cancel(consumerTag, false) })
}

// drain receives n deliveries and no more.
func drain[Delivery any](deliveries <-chan Delivery, n int, read func(Delivery) int, cancel func() error) (sum uint64, err error) {
	for i := 0; i < n; i++ {
		d, ok := <-deliveries
		if !ok {
			return sum, fmt.Errorf("%w, after %d of %d messages", errConsumerEnded, i, n)
		}
		sum += uint64(read(d))
	}
	if err := cancel(); err != nil {
		return sum, err
	}
	if _, more := <-deliveries; more {
		return sum, fmt.Errorf("more than the %d messages of the queue came", n)
	}
	return sum, nil
}

func oursConsumeFunc(ch *newapi.Channel, queue string, n int, read func(newapi.Delivery) int) (sum uint64, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	left := n
	err = ch.ConsumeFunc(ctx, queue, consumerTag, true, false, false, nil, func(d newapi.Delivery) {
		sum += uint64(read(d))
		if left--; left == 0 {
			cancel()
		}
	})
	switch {
	case left != 0:
		return sum, errors.Join(err, fmt.Errorf("%w, %d messages before the end of %d", errConsumerEnded, left, n))
	case !errors.Is(err, context.Canceled):
		return sum, err
	}
	return sum, nil
}
