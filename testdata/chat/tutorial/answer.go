// Answer answers one question.
package main

import (
	"log"
	"os"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, what string) {
	if err != nil {
		log.Fatalf("%s: %v", what, err)
	}
}

// square counts questions, too.
func square(question []byte, count *int) []byte {
	*count++
	n, err := strconv.Atoi(string(question))
	if err != nil {
		return []byte("That is no number.")
	}
	return strconv.AppendInt(nil, int64(n*n), 10)
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
	q, err := ch.QueueDeclare("tutorial.questions", false, true, false, false, nil)
	check(err, "declare a queue")
	questions, err := ch.Consume(q.Name, "", false, false, false, false, nil)
	check(err, "listen")

	count := 0
	d := <-questions
	err = ch.Publish("", d.ReplyTo, false, false, amqp.Publishing{
		CorrelationId: d.CorrelationId,
		Type:          "tutorial.answer",
		Body:          square(d.Body, &count),
	})
	check(err, "answer")
	check(d.Ack(false), "acknowledge")
	log.Printf("%d answered", count)
}
