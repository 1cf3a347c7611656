// Say says its arguments.
package main

import (
	"context"
	"log"
	"os"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, what string) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

func broker() string {
	if url := os.Getenv("AMQP_URL"); url != "" {
		return url
	}
	return "amqp://guest:guest@localhost:5672/"
}

func main() {
	conn, err := amqp.Dial(broker())
	check(err, "connect")
	defer conn.Close()

	ch, err := conn.Channel()
	check(err, "open a channel")
	defer ch.Close()

	q, err := ch.QueueDeclare(
		"tutorial.said", // name
		false,           // durable
		true,            // delete when nobody listens any more
		false,           // exclusive
		false,           // no-wait
		nil,             // arguments
	)
	check(err, "declare a queue")

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	body := strings.Join(os.Args[1:], " ")
	if body == "" {
		body = "Hello!"
	}
	err = ch.PublishWithContext(ctx,
		"",     // exchange
		q.Name, // routing key
		false,  // mandatory
		false,  // immediate
		amqp.Publishing{
			ContentType: "text/plain",
			Type:        "tutorial.say",
			Body:        []byte(body),
		})
	check(err, "say it")
	log.Printf("said %s", body)
}
