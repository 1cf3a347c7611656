// Whisper says something to those who listen for a name.
package main

import (
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func name() string {
	if len(os.Args) < 2 {
		return "ada"
	}
	return os.Args[1]
}

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
	if err := ch.ExchangeDeclare("tutorial.whispers", "direct", false, true, false, false, nil); err != nil {
		log.Fatal(err)
	}
	msg := amqp.Publishing{
		Type: "tutorial.whisper",
		Body: []byte("psst"),
	}
	if err := ch.Publish("tutorial.whispers", name(), false, false, msg); err != nil {
		log.Fatal(err)
	}
}
