package amqptest

import (
	"slices"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// transaction is what a transactional channel has asked for since the last
// commit or rollback.
type transaction struct {
	publishes []publication
	verdicts  []settlement
}

// settlement is a verdict on deliveries.
type settlement struct {
	verdict    verdict
	deliveries []*delivery
}

// unsettled returns the deliveries whose settlement was not committed.
func (t *transaction) unsettled() []*delivery {
	var all []*delivery
	for _, s := range t.verdicts {
		all = append(all, s.deliveries...)
	}
	return all
}

func (ch *channel) txSelect() error {
	if ch.mode == confirming {
		return channelError(amqp091.PreconditionFailed, "cannot switch from confirm to tx mode")
	}
	ch.mode = transactional
	ch.send(&wire.TxSelectOk{})
	return nil
}

func (ch *channel) txCommit() error {
	if ch.mode != transactional {
		return channelError(amqp091.PreconditionFailed, "channel is not transactional")
	}
	tx := ch.tx
	ch.tx = transaction{}
	for _, p := range tx.publishes {
		ch.deliver(p)
	}
	for _, s := range tx.verdicts {
		ch.apply(s.verdict, s.deliveries)
	}
	ch.send(&wire.TxCommitOk{})
	return nil
}

func (ch *channel) txRollback() error {
	if ch.mode != transactional {
		return channelError(amqp091.PreconditionFailed, "channel is not transactional")
	}
	ch.unacked = append(ch.tx.unsettled(), ch.unacked...)
	slices.SortFunc(ch.unacked, func(a, b *delivery) int {
		if a.tag < b.tag {
			return -1
		}
		return 1
	})
	ch.tx = transaction{}
	ch.send(&wire.TxRollbackOk{})
	return nil
}
