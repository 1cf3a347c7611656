package amqptest

import (
	"sort"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// verdict is what a client says of a delivery.
type verdict int

const (
	accepted verdict = iota
	requeued
	rejected
)

func refused(requeue bool) verdict {
	if requeue {
		return requeued
	}
	return rejected
}

// settle takes basic.ack, basic.nack and basic.reject. In a transaction the
// verdict waits for the commit.
func (ch *channel) settle(tag uint64, multiple bool, v verdict) error {
	deliveries, err := ch.takeUnacked(tag, multiple)
	if err != nil {
		return err
	}
	if ch.mode == transactional {
		ch.tx.verdicts = append(ch.tx.verdicts, settlement{v, deliveries})
		return nil
	}
	ch.apply(v, deliveries)
	return nil
}

// takeUnacked removes the delivery of that tag, or all up to it, from those
// that are not settled. Tag 0 with multiple is all there are.
func (ch *channel) takeUnacked(tag uint64, multiple bool) ([]*delivery, error) {
	if tag == 0 && multiple {
		all := ch.unacked
		ch.unacked = nil
		return all, nil
	}
	i := sort.Search(len(ch.unacked), func(i int) bool { return ch.unacked[i].tag >= tag })
	if i == len(ch.unacked) || ch.unacked[i].tag != tag {
		return nil, channelError(amqp091.PreconditionFailed, "unknown delivery tag %d", tag)
	}
	first := i
	if multiple {
		first = 0
	}
	taken := append([]*delivery{}, ch.unacked[first:i+1]...)
	if first == 0 {
		ch.unacked = ch.unacked[i+1:] // most often; no need to move the rest
	} else {
		ch.unacked = append(ch.unacked[:first], ch.unacked[i+1:]...)
	}
	return taken, nil
}

// apply carries a verdict out.
func (ch *channel) apply(v verdict, deliveries []*delivery) {
	for _, d := range deliveries {
		if d.consumer != nil {
			d.consumer.outstanding--
			ch.outstanding--
		}
	}
	switch v {
	case requeued:
		requeue(deliveries)
	case rejected:
		for _, d := range deliveries {
			d.queue.unacked--
			if !d.queue.deleted {
				d.queue.deadLetter(d.entry.message, deadByRejection)
			}
		}
	default:
		for _, d := range deliveries {
			d.queue.unacked--
		}
	}
	ch.kick()
}

// recover takes basic.recover and basic.recover-async, which differ in the
// answer only.
func (ch *channel) recover(requeueAll, answer bool) error {
	if !requeueAll {
		return connectionError(amqp091.NotImplemented, "requeue=false")
	}
	deliveries := ch.unacked
	ch.unacked = nil
	if answer {
		ch.send(&wire.BasicRecoverOk{})
	}
	ch.apply(requeued, deliveries)
	return nil
}
