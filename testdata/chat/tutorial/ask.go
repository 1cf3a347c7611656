// Ask asks what n times n is, and prints the answer.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, what string) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

func main() {
	n := "7"
	if len(os.Args) > 1 {
		n = os.Args[1]
	}
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = "amqp://guest:guest@localhost:5672/"
	}
	conn, err := amqp.Dial(url)
	check(err, "connect")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "open a channel")
	_, err = ch.QueueDeclare("tutorial.questions", false, true, false, false, nil)
	check(err, "declare a queue")
	q, err := ch.QueueDeclare("tutorial.answers", false, true, true, false, nil)
	check(err, "declare a queue")
	answers, err := ch.Consume(q.Name, "", true, true, false, false, nil)
	check(err, "listen")

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err = ch.PublishWithContext(ctx,
		"",                   // exchange
		"tutorial.questions", // routing key
		true,                 // mandatory
		false,                // immediate
		amqp.Publishing{
			CorrelationId: "question-" + n, // to know which answer it is
			ReplyTo:       q.Name,
			Type:          "tutorial.ask",
			Body:          []byte(n),
		})
	check(err, "ask")
	for {
		select {
		case d := <-answers:
			if d.CorrelationId == "question-"+n {
				fmt.Printf("%s\n", d.Body)
				return
			}
		case <-ctx.Done():
			check(ctx.Err(), "wait for the answer")
		}
	}
}
