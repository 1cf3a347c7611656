// Rpcserver answers calls for Fibonacci numbers, as many as its argument says.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, doing string) {
	if err != nil {
		log.Panicf("%s: %s", doing, err)
	}
}

func fib(n int) int {
	a, b := 0, 1
	for ; n > 0; n-- {
		a, b = b, a+b
	}
	return a
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	check(err, "reading the argument")
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "opening a channel")
	defer ch.Close()
	q, err := ch.QueueDeclare("rpc_queue", false, false, false, false, nil)
	check(err, "declaring a queue")
	check(ch.Qos(1, 0, false), "setting the prefetch")
	msgs, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	check(err, "consuming")

	fmt.Println("waiting")
	for d := range msgs {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		n, err := strconv.Atoi(string(d.Body))
		check(err, "reading a call")
		fmt.Printf("fib(%d)\n", n)
		err = ch.PublishWithContext(ctx,
			"",        // exchange
			d.ReplyTo, // routing key
			false,     // mandatory
			false,     // immediate
			amqp.Publishing{
				ContentType:   "text/plain",
				CorrelationId: d.CorrelationId,
				Body:          []byte(strconv.Itoa(fib(n))),
			})
		check(err, "replying")
		check(d.Ack(false), "acknowledging")
		cancel()
		if count--; count == 0 {
			return
		}
	}
}
