package amqp091

import "github.com/amqpfix/amqpfix/newapi"

// NotifyClose registers a chan that receives the reason when the channel or its
// connection ends for any reason but Close, and that is closed in any case. It
// returns c. A notice that c does not take waits for up to 5 s.
func (ch *Channel) NotifyClose(c chan *Error) chan *Error {
	if ch.ch == nil {
		return c
	}
	return ch.ch.NotifyClose(c)
}

// NotifyFlow registers a chan that receives the broker's channel.flow: false asks
// publishers to pause. RabbitMQ does not send it. It returns c.
func (ch *Channel) NotifyFlow(c chan bool) chan bool {
	if ch.ch == nil {
		return c
	}
	return ch.ch.NotifyFlow(c)
}

// NotifyCancel registers a chan that receives the tags of consumers that the
// broker has cancelled, for instance because their queue was deleted. It returns
// c.
func (ch *Channel) NotifyCancel(c chan string) chan string {
	if ch.ch == nil {
		return c
	}
	return ch.ch.NotifyCancel(c)
}

// NotifyReturn registers a chan that receives what the broker sends back of
// mandatory and immediate publishes, and that is closed with the channel. It
// returns c. In confirm mode a return is in c, if c has room, before the
// confirmation of the same message is out.
func (ch *Channel) NotifyReturn(c chan Return) chan Return {
	if ch.ch == nil {
		return c
	}
	return newapi.NotifyReturnAs(ch.ch, c, returned)
}

// NotifyPublish registers a chan that receives one Confirmation for each publish
// in confirm mode, in the order of their tags, and that is closed with the
// channel. It returns confirm.
//
// A receiver that falls behind holds up nothing else; it misses confirmations
// only when it is 65,536 behind.
func (ch *Channel) NotifyPublish(confirm chan Confirmation) chan Confirmation {
	if ch.ch == nil {
		return confirm
	}
	return ch.ch.NotifyPublish(confirm)
}

// NotifyConfirm is NotifyPublish with the tags of acks and nacks on two chans,
// which may be the same one. Both are closed with the channel, and must be read
// until they are.
func (ch *Channel) NotifyConfirm(ack, nack chan uint64) (chan uint64, chan uint64) {
	if ch.ch == nil {
		return ack, nack
	}
	return ch.ch.NotifyConfirm(ack, nack)
}

// NotifyStateChange registers a chan that receives every later change of state:
// from StateOpen to StateClosing when Close is called, and to StateClosed, with
// the reason unless it was a Close, when the channel has ended. It is closed
// after that, at once if the channel has ended. A change that c does not take
// waits for up to 5 s. A nil chan, and one that is registered already, is
// ignored.
func (ch *Channel) NotifyStateChange(c chan *StateChanged) {
	if ch.ch != nil {
		ch.lifeCycle.notify(ch.ch, c)
	}
}

// NotifyRecoveryCancel registers a chan that is closed when the channel is about
// to close for good: without recovery, when Close is called or the channel has
// ended. It returns receiver.
func (ch *Channel) NotifyRecoveryCancel(receiver chan struct{}) chan struct{} {
	if ch.ch != nil {
		ch.lifeCycle.notifyCancel(ch.ch, receiver)
	}
	return receiver
}
