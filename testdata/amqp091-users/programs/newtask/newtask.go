// Newtask queues its arguments as tasks that outlive the broker.
package main

import (
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

func check(err error, doing string) {
	if err != nil {
		log.Panicf("%s: %s", doing, err)
	}
}

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "opening a channel")
	defer ch.Close()
	q, err := ch.QueueDeclare("task_queue", true, false, false, false, amqp.Table{
		amqp.QueueTypeArg: amqp.QueueTypeClassic,
	})
	check(err, "declaring a queue")

	for _, task := range os.Args[1:] {
		err = ch.Publish("", q.Name, false, false, amqp.Publishing{
			DeliveryMode: amqp.Persistent,
			ContentType:  "text/plain",
			Body:         []byte(task),
		})
		check(err, "publishing")
		fmt.Println("queued", task)
	}
}
