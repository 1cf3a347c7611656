// Rpcclient calls for the Fibonacci numbers that its arguments say.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, doing string) {
	if err != nil {
		log.Panicf("%s: %s", doing, err)
	}
}

// caller keeps the callers of open calls.
type caller struct {
	ch      *amqp.Channel
	replies <-chan amqp.Delivery
	queue   amqp.Queue
}

func (c *caller) call(ctx context.Context, id, argument string) (string, error) {
	err := c.ch.PublishWithContext(ctx, "", "rpc_queue", false, false, amqp.Publishing{
		ContentType:   "text/plain",
		CorrelationId: id,
		ReplyTo:       c.queue.Name,
		Body:          []byte(argument),
	})
	if err != nil {
		return "", err
	}
	for {
		select {
		case d := <-c.replies:
			if d.CorrelationId == id {
				return string(d.Body), nil
			}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "opening a channel")
	defer ch.Close()
	q, err := ch.QueueDeclare("rpc_replies", false, false, true, false, nil)
	check(err, "declaring a queue")
	msgs, err := ch.Consume(q.Name, "", true, false, false, false, nil)
	check(err, "consuming")

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c := &caller{ch, msgs, q}
	for i, argument := range os.Args[1:] {
		answer, err := c.call(ctx, fmt.Sprint("call-", i), argument)
		check(err, "calling")
		fmt.Printf("fib(%s) = %s\n", argument, answer)
	}
}
