package newapi_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

// The examples below talk to a broker in the same process; a real one differs in
// the URL only.
func exampleBroker() *amqptest.Server {
	server, err := amqptest.Start()
	if err != nil {
		log.Fatal(err)
	}
	return server
}

// Publishing with confirms: the broker's word on each message.
func Example_confirms() {
	server := exampleBroker()
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	conn, err := newapi.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if err := ch.Confirm(false); err != nil { // without it there is nothing to wait for
		log.Fatal(err)
	}
	if _, err := ch.QueueDeclare("orders", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}
	for _, key := range []string{"orders", "odrers"} {
		confirmation, err := newapi.BasicPublishDeferred(ctx, ch, newapi.DefaultExchange, key,
			newapi.BasicProperties{DeliveryMode: newapi.Persistent, MessageId: "1"}, []byte("order"), newapi.Mandatory)
		if err != nil {
			log.Fatal(err) // it was not sent
		}
		var returned *newapi.ReturnedError
		switch err := confirmation.Result(ctx); {
		case err == nil:
			fmt.Println(key, "is with the broker")
		case errors.As(err, &returned):
			fmt.Println(key, "came back:", returned.Return.ReplyText)
		default: // ErrNacked, ErrLost, or ctx ended
			log.Fatal(err)
		}
	}
	// Output:
	// orders is with the broker
	// odrers came back: NO_ROUTE
}

// Consuming on the calling goroutine, until the context ends.
func ExampleChannel_ConsumeFunc() {
	server := exampleBroker()
	defer server.Close()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()

	conn, err := newapi.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := ch.QueueDeclare("jobs", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}
	for i := 1; i <= 2; i++ {
		job := newapi.BasicProperties{Type: "resize", Headers: newapi.Table{"attempt": int32(i)}}
		if err := newapi.BasicPublish(ctx, ch, "", "jobs", job, []byte("cat.png")); err != nil {
			log.Fatal(err)
		}
	}

	if err := ch.Qos(10, 0, false); err != nil {
		log.Fatal(err)
	}
	err = ch.ConsumeFunc(ctx, "jobs", "worker", false, false, false, nil, func(d newapi.Delivery) {
		attempt, _ := d.Header("attempt")
		fmt.Printf("%s %s, attempt %d\n", d.Type(), d.Body, attempt)
		if err := d.Ack(false); err != nil {
			log.Print(err)
		}
		if attempt == int32(2) {
			stop()
		}
	})
	fmt.Println("ended:", err)
	// Output:
	// resize cat.png, attempt 1
	// resize cat.png, attempt 2
	// ended: context canceled
}

// A call over RabbitMQ's direct reply-to: the answer is a message to a queue
// that only this channel can see.
func Example_rpc() {
	server := exampleBroker()
	defer server.Close()
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()

	conn, err := newapi.Dial(server.URL())
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()

	// The service.
	service, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.QueueDeclare("double", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}
	requests, err := service.Consume("double", "", true, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for request := range requests {
			reply := newapi.BasicProperties{CorrelationId: request.CorrelationId()}
			body := append(request.Body, request.Body...)
			if err := newapi.BasicPublish(ctx, service, "", request.ReplyTo(), reply, body); err != nil {
				log.Print(err)
			}
		}
	}()

	// The caller.
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	replies, err := ch.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}
	request := newapi.BasicProperties{ReplyTo: "amq.rabbitmq.reply-to", CorrelationId: "42"}
	if err := newapi.BasicPublish(ctx, ch, "", "double", request, []byte("ab")); err != nil {
		log.Fatal(err)
	}
	select {
	case reply := <-replies:
		fmt.Printf("%s: %s\n", reply.CorrelationId(), reply.Body)
	case <-ctx.Done():
		log.Fatal(ctx.Err())
	}
	// Output: 42: abab
}
