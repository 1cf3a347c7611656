package newapi_test

import (
	"context"
	"fmt"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// outbox is a fake to publish to in a test: it keeps what a receiver would see.
type outbox struct {
	sent []newapi.Delivery
}

func (o *outbox) PublishEncoded(_ context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	properties, err := m.Properties()
	if err != nil {
		return nil, err
	}
	body := append([]byte(nil), m.Body...)
	o.sent = append(o.sent, newapi.Delivery{
		ReadOnlyBasicProperties: properties, Exchange: m.Exchange, RoutingKey: m.RoutingKey, Body: body,
	})
	return nil, nil
}

// orderCreated is code under test; in production ch is a *newapi.Channel.
func orderCreated(ctx context.Context, ch newapi.Publisher, id string) error {
	return newapi.BasicPublish(ctx, ch, "events", "order.created",
		newapi.BasicProperties{ContentType: newapi.MimeTextPlain, MessageId: id}, []byte("order "+id))
}

// A fake Publisher takes ten lines, and code that publishes can be tested
// without a broker.
func ExamplePublisher() {
	ch := new(outbox)
	if err := orderCreated(context.Background(), ch, "4711"); err != nil {
		fmt.Println(err)
	}
	for _, m := range ch.sent {
		fmt.Println(m.Exchange, m.RoutingKey, m.MessageId(), string(m.Body))
	}
	// Output: events order.created 4711 order 4711
}

// Properties are a keyed literal; what it leaves out is not sent.
func ExampleBasicPublish() {
	ch := new(outbox) // in production a *newapi.Channel
	err := newapi.BasicPublish(context.Background(), ch, "events", "order.created",
		newapi.BasicProperties{
			ContentType:  newapi.MimeApplicationJSON,
			DeliveryMode: newapi.Persistent,
			Priority:     5,
			Timestamp:    time.Unix(1700000000, 0),
			Headers:      newapi.Table{"tenant": "acme"},
		},
		[]byte(`{"id":4711}`), newapi.Mandatory)
	fmt.Println(err, ch.sent[0].ReadOnlyBasicProperties)
	// Output: <nil> {ContentType:"application/json" Headers:map[tenant:acme] DeliveryMode:2 Priority:5 Timestamp:2023-11-14T22:13:20Z}
}

// Whatever cannot be sent is an error that names it, before anything is
// written; the channel stays open.
func ExampleBasicPublish_refused() {
	err := newapi.BasicPublish(context.Background(), new(outbox), "events", "order.created",
		newapi.BasicProperties{Headers: newapi.Table{"retry": newapi.Table{"times": []any{1, uint64(1) << 63}}}}, nil)
	fmt.Println(err)
	// Output: newapi: header "retry.times[1]" of type uint64: above 9223372036854775807, the largest integer a field holds: send it as a string
}

// A delivery can be sent on as it is: its properties byte for byte, without
// being decoded.
func ExampleBasicPublish_forward() {
	ch := new(outbox)
	d := received()
	if err := newapi.BasicPublish(context.Background(), ch, "archive", d.RoutingKey, d, d.Body); err != nil {
		fmt.Println(err)
	}
	fmt.Println(ch.sent[0].ReadOnlyBasicProperties == d.ReadOnlyBasicProperties)
	// Output: true
}

// SendZero sends a property that is zero: here a priority of 0, which is not
// the same as no priority where an exchange or a consumer looks at it.
func ExampleBasicProperties_sendZero() {
	p := newapi.BasicProperties{Type: "tick"}
	fmt.Println(p.Present())
	p.SendZero = newapi.PropertyPriority
	fmt.Println(p.Present())
	// Output:
	// Type
	// Priority|Type
}
