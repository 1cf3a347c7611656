package newapi

import "fmt"

// Delivery is a message that a consumer or Channel.Get received. Its
// properties are the methods of the ReadOnlyBasicProperties in it, such as
// d.ContentType(), and it is an AMQPHeader by them: BasicPublish(ctx, ch,
// exchange, key, d, d.Body) sends the message on.
//
// A delivery owns its memory for ever; nothing that is received later changes
// it. Several goroutines may read one. Every delivery that was not consumed
// with autoAck must be answered by exactly one of Ack, Nack and Reject.
type Delivery struct {
	ReadOnlyBasicProperties

	Acknowledger Acknowledger // the channel it came by

	ConsumerTag  string // of the consumer it was for; empty for Channel.Get
	MessageCount uint32 // messages left in the queue; only for Channel.Get

	DeliveryTag uint64 // names the delivery in its channel
	Redelivered bool   // whether it may have been delivered before
	Exchange    string // where it was published to
	RoutingKey  string // and with which key

	Body []byte // the caller's to keep and to change
}

// Ack tells the broker that the message has been dealt with; with multiple,
// that all messages of the channel up to this one have.
//
// The error is that of the Acknowledger: when it is not nil the broker will
// deliver the message again. Without an Acknowledger it is
// ErrDeliveryNotInitialized.
func (d Delivery) Ack(multiple bool) error {
	if d.Acknowledger == nil {
		return ErrDeliveryNotInitialized
	}
	return d.Acknowledger.Ack(d.DeliveryTag, multiple)
}

// Nack refuses the message or, with multiple, all messages of the channel up
// to this one that have not been answered. With requeue the broker delivers
// them again, perhaps to the same consumer; without, they go to the queue's
// dead letter exchange or are dropped. It is RabbitMQ's extension of Reject.
//
// The error is as for Ack.
func (d Delivery) Nack(multiple, requeue bool) error {
	if d.Acknowledger == nil {
		return ErrDeliveryNotInitialized
	}
	return d.Acknowledger.Nack(d.DeliveryTag, multiple, requeue)
}

// Reject refuses the message; requeue is as for Nack, the error as for Ack.
func (d Delivery) Reject(requeue bool) error {
	if d.Acknowledger == nil {
		return ErrDeliveryNotInitialized
	}
	return d.Acknowledger.Reject(d.DeliveryTag, requeue)
}

// String describes the delivery in one line, with the size of its body.
func (d Delivery) String() string {
	return fmt.Sprintf("delivery %d from exchange %q with key %q: %v, %d byte body",
		d.DeliveryTag, d.Exchange, d.RoutingKey, d.ReadOnlyBasicProperties, len(d.Body))
}

// Return is a message that the broker sent back to its publisher, because it
// was published as Mandatory and no queue took it, or as Immediate and no
// consumer did. What Delivery says about properties and memory holds for it
// too.
type Return struct {
	ReadOnlyBasicProperties

	ReplyCode  uint16 // why: NoRoute or NoConsumers
	ReplyText  string // why, for people
	Exchange   string // where it was published to
	RoutingKey string // and with which key

	Body []byte
}

// String describes the return in one line, with the size of its body.
func (r Return) String() string {
	return fmt.Sprintf("returned, %d %s, from exchange %q with key %q: %v, %d byte body",
		r.ReplyCode, r.ReplyText, r.Exchange, r.RoutingKey, r.ReadOnlyBasicProperties, len(r.Body))
}
