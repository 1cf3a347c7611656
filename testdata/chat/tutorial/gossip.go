// Gossip says several things to those who listen for their subjects.
package main

import (
	"context"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func main() {
	url := os.Getenv("AMQP_URL")
	if url == "" {
		url = "amqp://guest:guest@localhost:5672/"
	}
	conn, err := amqp.Dial(url)
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if err := ch.ExchangeDeclare("tutorial.gossip", "topic", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}
	for _, said := range []struct {
		subject string
		msg     amqp.Publishing
	}{
		{"neighbour.new", amqp.Publishing{Type: "tutorial.gossip", Body: []byte("plays the tuba")}},
		{"neighbour.old", amqp.Publishing{Type: "tutorial.gossip", Body: []byte("does not like it"), Priority: 1}},
	} {
		if err := ch.PublishWithContext(context.TODO(), "tutorial.gossip", said.subject, false, false, said.msg); err != nil {
			log.Fatal(err)
		}
	}
}
