package amqptest_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// announce is what a program under test may look like.
func announce(ctx context.Context, url, order string) error {
	conn, err := newapi.Dial(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	if err := ch.Confirm(false); err != nil {
		return err
	}
	properties := newapi.BasicProperties{Type: "order.placed", DeliveryMode: newapi.Persistent}
	confirmation, err := newapi.BasicPublishDeferred(ctx, ch, "amq.topic", "orders", properties, []byte(order))
	if err != nil {
		return err
	}
	return confirmation.Result(ctx)
}

func Example() {
	// In a test, NewServer(t) does without the error and the Close.
	server, err := amqptest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	if err := announce(ctx, server.URL(), "lamp"); err != nil {
		log.Fatal(err)
	}
	for _, p := range server.Published() {
		fmt.Printf("%s to %s/%s: %s\n", p.Properties.Type(), p.Exchange, p.RoutingKey, p.Body)
	}
	// Output: order.placed to amq.topic/orders: lamp
}

func ExampleServer_NackNext() {
	server, err := amqptest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	server.NackNext(1)
	fmt.Println(announce(ctx, server.URL(), "lamp"))
	// Output: newapi: the broker refused the message (basic.nack)
}
