// Shout says something to all who are there.
package main

import (
	"log"
	"os"

	"github.com/rabbitmq/amqp091-go"
)

func main() {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = "amqp://guest:guest@localhost:5672/"
	}
	conn, err := amqp091.Dial(url)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if err := ch.ExchangeDeclare("tutorial.shouts", "fanout", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}

	// All it takes is an exchange: those who want to hear bind a queue to it.
	err = ch.Publish(
		"tutorial.shouts", // exchange
		"",                // routing key
		false,             // mandatory
		false,             // immediate
		amqp091.Publishing{Type: "tutorial.shout", Body: []byte("HELLO!")},
	)
	if err != nil {
		log.Fatal(err)
	}
}
