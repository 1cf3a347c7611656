package newapi_test

import (
	"context"
	"fmt"

	"github.com/amqpfix/amqpfix/newapi"
)

// received is a delivery as a consumer sees it.
func received() newapi.Delivery {
	properties, err := newapi.ReadOnly(newapi.BasicProperties{
		ContentType: newapi.MimeApplicationJSON,
		Headers:     newapi.Table{"attempt": int32(1)},
		MessageId:   "4711",
	})
	if err != nil {
		panic(err)
	}
	return newapi.Delivery{ReadOnlyBasicProperties: properties, RoutingKey: "order.created", Body: []byte("{}")}
}

// answer is a fake Acknowledger.
type answer string

func (a *answer) Ack(tag uint64, multiple bool) error           { *a = "acked"; return nil }
func (a *answer) Nack(tag uint64, multiple, requeue bool) error { *a = "nacked"; return nil }
func (a *answer) Reject(tag uint64, requeue bool) error         { *a = "rejected"; return nil }

// handle is the consumer under test.
func handle(d newapi.Delivery) error {
	if d.ContentType() != newapi.MimeApplicationJSON {
		return d.Reject(false)
	}
	return d.Ack(false)
}

// ReadOnly makes the properties of a delivery for a consumer's unit test.
func ExampleReadOnly() {
	properties, err := newapi.ReadOnly(newapi.BasicProperties{ContentType: newapi.MimeTextXML})
	if err != nil {
		fmt.Println(err)
	}
	var got answer
	err = handle(newapi.Delivery{ReadOnlyBasicProperties: properties, Acknowledger: &got, Body: []byte("<x/>")})
	fmt.Println(got, err)
	// Output: rejected <nil>
}

// Received properties are read by methods; Present tells an absent property
// from a zero one.
func ExampleDelivery() {
	d := received()
	attempt, ok := d.Header("attempt")
	fmt.Println(d.MessageId(), attempt, ok, d.Priority(), d.Present().Has(newapi.PropertyPriority))
	// Output: 4711 1 true 0 false
}

// Struct gives a copy to change, here to publish a message again with its
// attempts counted.
func ExampleReadOnlyBasicProperties_Struct() {
	ch, d := new(outbox), received()
	properties := d.Struct()
	attempt, _ := properties.Headers["attempt"].(int32)
	if properties.Headers == nil { // the message came without headers
		properties.Headers = newapi.Table{}
	}
	properties.Headers["attempt"] = attempt + 1
	properties.Expiration = "5000"
	err := newapi.BasicPublish(context.Background(), ch, "", "retry", properties, d.Body)
	fmt.Println(err, ch.sent[0].ReadOnlyBasicProperties)
	// Output: <nil> {ContentType:"application/json" Headers:map[attempt:2] Expiration:"5000" MessageId:"4711"}
}

// An RPC client puts an address into ReplyTo, and the server finds it there.
func ExamplePublicationAddress() {
	request := newapi.BasicProperties{
		ReplyTo: newapi.PublicationAddress{ExchangeType: newapi.ExchangeDirect, ExchangeName: "replies", RoutingKey: "client-7"}.String(),
	}
	addr, ok := request.ReplyToAddress()
	fmt.Println(request.ReplyTo, addr.ExchangeName, addr.RoutingKey, ok)
	// Output: direct://replies/client-7 replies client-7 true
}
