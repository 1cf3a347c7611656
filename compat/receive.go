package compat

import "github.com/amqpfix/amqpfix/newapi"

// BasicDelivery is a message that [Channel.BasicConsume] or [Channel.BasicGet]
// received. It owns its memory: Properties and Body may be kept, changed and
// published again.
//
// Deprecated: use [newapi.Delivery], whose properties are read-only; its Struct
// method gives a copy to change.
type BasicDelivery struct {
	// Acknowledger is the channel it came by, or a fake in a test.
	Acknowledger newapi.Acknowledger

	ConsumerTag string // empty in the result of BasicGet
	DeliveryTag uint64
	Redelivered bool
	Exchange    string // as it was published
	RoutingKey  string // as it was published

	Properties BasicProperties // never nil in one that was received
	Body       []byte
}

// Ack acknowledges the delivery, and with multiple every earlier one of its
// channel. Without an Acknowledger the error is
// [newapi.ErrDeliveryNotInitialized].
func (d BasicDelivery) Ack(multiple bool) error {
	return d.answer().Ack(multiple)
}

// Nack refuses the delivery, and with multiple every earlier one of its
// channel. With requeue the broker delivers it again, else it drops it or
// dead-letters it. Errors are as with Ack.
func (d BasicDelivery) Nack(multiple, requeue bool) error {
	return d.answer().Nack(multiple, requeue)
}

// Reject refuses this delivery alone. Requeue and errors are as with Nack.
func (d BasicDelivery) Reject(requeue bool) error {
	return d.answer().Reject(requeue)
}

func (d BasicDelivery) answer() newapi.Delivery {
	return newapi.Delivery{Acknowledger: d.Acknowledger, DeliveryTag: d.DeliveryTag}
}

// BasicGetResult is a message that [Channel.BasicGet] took from a queue.
//
// Deprecated: use [newapi.Delivery].
type BasicGetResult struct {
	BasicDelivery

	// MessageCount is how many messages were left in the queue.
	MessageCount uint32
}

// BasicReturn is a mandatory message that no queue took. It owns its memory, as
// a BasicDelivery does.
//
// Deprecated: use [newapi.Return], whose properties are read-only; its Struct
// method gives a copy to change.
type BasicReturn struct {
	ReplyCode  uint16 // such as newapi.NoRoute
	ReplyText  string
	Exchange   string // as it was published
	RoutingKey string // as it was published

	Properties BasicProperties // never nil in one that was received
	Body       []byte
}

// BasicGet takes one message from queue; both results are nil when it is empty.
// With autoAck the broker counts it as acknowledged, else it waits for Ack, Nack
// or Reject. Errors are those of newapi's Get.
//
// Deprecated: use [newapi.Channel.Get].
func (ch *Channel) BasicGet(queue string, autoAck bool) (*BasicGetResult, error) {
	d, ok, err := ch.Get(queue, autoAck)
	if err != nil || !ok {
		return nil, err
	}
	return &BasicGetResult{delivery(d), d.MessageCount}, nil
}

// BasicConsume starts a consumer, shared and with an acknowledged request. An
// empty consumerTag stands for a unique one that the client makes. With autoAck
// the broker counts messages as acknowledged when it sends them, else each waits
// for Ack, Nack or Reject. Errors are those of newapi's Consume.
//
// The Go channel is unbuffered. It is closed when the consumer is cancelled,
// after what had arrived was read, and when the channel or the connection
// closes; then what was not read yet is dropped, and no goroutine stays behind.
//
// Deprecated: use [newapi.Channel.Consume].
func (ch *Channel) BasicConsume(queue, consumerTag string, autoAck bool, args newapi.Table) (<-chan BasicDelivery, error) {
	deliveries, err := ch.Consume(queue, consumerTag, autoAck, false, false, false, args)
	if err != nil {
		return nil, err
	}
	out := make(chan BasicDelivery)
	go forward(out, deliveries, ch.closed(), delivery)
	return out, nil
}

// NotifyBasicReturn has every message that the broker returns sent to c, which
// it also gives back. Call it before the first mandatory publish.
//
// All else is as with newapi's NotifyReturn: c is closed after the channel, and a
// slow reader holds up nothing, but what it leaves waiting is bounded. In confirm
// mode a return is in c, if c has room, before the confirmation of the same
// message is out.
//
// Deprecated: use [newapi.Channel.NotifyReturn].
func (ch *Channel) NotifyBasicReturn(c chan BasicReturn) chan BasicReturn {
	return newapi.NotifyReturnAs(ch.Channel, c, basicReturn)
}

func delivery(d newapi.Delivery) BasicDelivery {
	return BasicDelivery{
		Acknowledger: d.Acknowledger,
		ConsumerTag:  d.ConsumerTag,
		DeliveryTag:  d.DeliveryTag,
		Redelivered:  d.Redelivered,
		Exchange:     d.Exchange,
		RoutingKey:   d.RoutingKey,
		Properties:   FromStruct(d.Struct()),
		Body:         d.Body,
	}
}

func basicReturn(r newapi.Return) BasicReturn {
	return BasicReturn{
		ReplyCode:  r.ReplyCode,
		ReplyText:  r.ReplyText,
		Exchange:   r.Exchange,
		RoutingKey: r.RoutingKey,
		Properties: FromStruct(r.Struct()),
		Body:       r.Body,
	}
}
