package compat_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// One channel, both styles: the call before the move and the call after it.
func Example() {
	server, err := amqptest.Start() // stands in for a broker
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	conn, err := compat.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	queue, err := ch.QueueDeclare("orders", true, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}

	props := ch.CreateBasicProperties()
	props.SetContentType("application/json")
	props.SetPersistent(true)
	props.Headers()["attempt"] = 1
	if err := ch.BasicPublish("", queue.Name, false, props, []byte(`{"id":17}`)); err != nil {
		log.Fatal(err)
	}

	err = newapi.BasicPublish(context.Background(), ch, "", queue.Name, newapi.BasicProperties{
		ContentType:  "application/json",
		DeliveryMode: newapi.Persistent,
		Headers:      newapi.Table{"attempt": 1},
	}, []byte(`{"id":17}`))
	if err != nil {
		log.Fatal(err)
	}

	var headers [2][]byte
	for i := range headers {
		msg, ok, err := ch.Get(queue.Name, true)
		if err != nil || !ok {
			log.Fatal("no message: ", err)
		}
		headers[i], _ = msg.AppendHeader(nil)
		fmt.Println(msg.ContentType(), msg.DeliveryMode(), msg.Headers(), string(msg.Body))
	}
	fmt.Println("same bytes:", bytes.Equal(headers[0], headers[1]))
	// Output:
	// application/json 2 map[attempt:1] {"id":17}
	// application/json 2 map[attempt:1] {"id":17}
	// same bytes: true
}

func ExampleChannel_BasicConsume() {
	server, err := amqptest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	conn, err := compat.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.CreateModel()
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"requests", "replies"} {
		if _, err := ch.QueueDeclare(name, false, false, false, false, nil); err != nil {
			log.Fatal(err)
		}
	}

	requests, err := ch.BasicConsume("requests", "", false, nil)
	if err != nil {
		log.Fatal(err)
	}
	props := ch.CreateBasicProperties()
	props.SetCorrelationId("17")
	props.SetReplyToAddress(compat.PublicationAddress{ExchangeType: newapi.ExchangeDirect, RoutingKey: "replies"})
	if err := ch.BasicPublish("", "requests", false, props, []byte("ping")); err != nil {
		log.Fatal(err)
	}

	request := <-requests
	to, _ := request.Properties.ReplyToAddress()
	reply := ch.CreateBasicProperties()
	reply.SetCorrelationId(request.Properties.CorrelationId())
	if err := ch.BasicPublish(to.ExchangeName, to.RoutingKey, false, reply, []byte("pong")); err != nil {
		log.Fatal(err)
	}
	if err := request.Ack(false); err != nil {
		log.Fatal(err)
	}

	got, err := ch.BasicGet("replies", true)
	if err != nil || got == nil {
		log.Fatal("no reply: ", err)
	}
	fmt.Printf("%s to %s: %s\n", got.Properties.CorrelationId(), to, got.Body)
	// Output:
	// 17 to direct:///replies: pong
}

// A program that has moved keeps a package that has not.
func ExampleWrap() {
	server, err := amqptest.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	conn, err := newapi.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()

	legacy := func(conn *compat.Connection) error {
		model, err := conn.CreateModel()
		if err != nil {
			return err
		}
		return model.BasicPublish("", "jobs", false, nil, []byte("from legacy code"))
	}
	if err := legacy(compat.Wrap(conn)); err != nil {
		log.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", server.Published()[0].Body)
	// Output:
	// from legacy code
}

// A caller has moved, the function it calls still takes the old interface.
func ExampleFromStruct() {
	stamp := func(props compat.BasicProperties) {
		if !props.IsMessageIdPresent() {
			props.SetMessageId("m-1")
		}
		props.Headers()["stamped"] = true
	}

	props := compat.FromStruct(newapi.BasicProperties{Type: "order.created"})
	stamp(props)
	fmt.Println(props.Type(), props.MessageId(), props.Headers())
	// Output:
	// order.created m-1 map[stamped:true]
}

// A function has moved, its caller still has properties of the old kind.
func ExampleToStruct() {
	describe := func(props newapi.BasicProperties) string {
		return fmt.Sprint(props.Type, " ", props.Present())
	}

	props := new(compat.Channel).CreateBasicProperties()
	props.SetType("order.created")
	props.SetPriority(5)
	fmt.Println(describe(compat.ToStruct(props)))
	// Output:
	// order.created Priority|Type
}
