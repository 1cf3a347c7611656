// Listen hears one thing and ends.
package main

import (
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, what string) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

func main() {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = "amqp://guest:guest@localhost:5672/"
	}
	conn, err := amqp.Dial(url)
	check(err, "connect")
	defer conn.Close()

	ch, err := conn.Channel()
	check(err, "open a channel")
	q, err := ch.QueueDeclare("tutorial.said", false, true, false, false, nil)
	check(err, "declare a queue")
	heard, err := ch.Consume(
		q.Name, // queue
		"",     // consumer
		true,   // auto-ack
		false,  // exclusive
		false,  // no-local
		false,  // no-wait
		nil,    // arguments
	)
	check(err, "listen")
	d := <-heard
	fmt.Printf("%s\n", d.Body)
}
