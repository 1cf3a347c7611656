package amqp091_test

import (
	"context"
	"fmt"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// A program as it was written for amqp091-go; only the import path differs.
func Example() {
	server, err := amqptest.Start()
	if err != nil {
		panic(err)
	}
	defer server.Close()

	conn, err := amqp.Dial(server.URL())
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		panic(err)
	}
	q, err := ch.QueueDeclare("hello", false, false, false, false, nil)
	if err != nil {
		panic(err)
	}
	err = ch.PublishWithContext(context.Background(), "", q.Name, false, false, amqp.Publishing{
		ContentType: "text/plain",
		Body:        []byte("Hello"),
	})
	if err != nil {
		panic(err)
	}
	deliveries, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	if err != nil {
		panic(err)
	}
	d := <-deliveries
	fmt.Println(string(d.Body), d.Ack(false))
	// Output: Hello <nil>
}

// sink is a Publisher that prints.
type sink struct{}

func (sink) PublishEncoded(_ context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	properties, err := m.Properties()
	fmt.Println(m.Exchange, m.RoutingKey, m.Flags, properties, string(m.Body))
	return nil, err
}

// A call site that has moved, whose message is still made by code that has not.
func ExampleHeader() {
	msg := amqp.Publishing{ContentType: "application/json", Priority: 5, Body: []byte(`{}`)}

	var ch newapi.Publisher = sink{} // such as a *Channel
	err := newapi.BasicPublish(context.Background(), ch, "orders", "created", amqp.Header(msg), msg.Body, newapi.Mandatory)
	if err != nil {
		panic(err)
	}
	// Output: orders created Mandatory {ContentType:"application/json" Priority:5} {}
}

// A message that comes from a call is evaluated once.
func ExampleBasicPublish() {
	toMessage := func(id string) amqp.Publishing {
		return amqp.Publishing{MessageId: id, Body: []byte("body of " + id)}
	}

	var ch newapi.Publisher = sink{} // such as a *Channel
	if err := amqp.BasicPublish(context.Background(), ch, "orders", "created", toMessage("4711")); err != nil {
		panic(err)
	}
	// Output: orders created none {MessageId:"4711"} body of 4711
}
