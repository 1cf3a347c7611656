// Receive prints what arrives in the queue hello, as many messages as its
// argument says.
package main

import (
	"fmt"
	"log"
	"os"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, doing string) {
	if err != nil {
		log.Panicf("%s: %s", doing, err)
	}
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

	q, err := ch.QueueDeclare("hello", false, false, false, false, nil)
	check(err, "declaring a queue")

	msgs, err := ch.Consume(
		q.Name, // queue
		"",     // consumer
		true,   // auto-ack
		false,  // exclusive
		false,  // no-local
		false,  // no-wait
		nil,    // args
	)
	check(err, "consuming")

	done := make(chan struct{})
	go func() {
		defer close(done)
		for d := range msgs {
			fmt.Printf("received %s (%s)\n", d.Body, d.ContentType)
			if count--; count == 0 {
				return
			}
		}
	}()
	fmt.Println("waiting")
	<-done
}
