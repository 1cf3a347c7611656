// Worker works off tasks, as many as its argument says: each dot in a task is a
// moment of work, and a task that says so fails the first time.
package main

import (
	"bytes"
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

func main() {
	count, err := strconv.Atoi(os.Args[1])
	check(err, "reading the argument")
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
	err = ch.Qos(
		1,     // prefetch count
		0,     // prefetch size
		false, // global
	)
	check(err, "setting the prefetch")
	msgs, err := ch.Consume(q.Name, "worker", false, false, false, false, nil)
	check(err, "consuming")

	fmt.Println("waiting")
	for d := range msgs {
		if bytes.HasPrefix(d.Body, []byte("fail")) && !d.Redelivered {
			check(d.Nack(false, true), "refusing")
			fmt.Printf("refused %s\n", d.Body)
			continue
		}
		time.Sleep(time.Duration(bytes.Count(d.Body, []byte("."))) * 10 * time.Millisecond)
		check(d.Ack(false), "acknowledging")
		fmt.Printf("done %s\n", d.Body)
		if count--; count == 0 {
			check(ch.Cancel("worker", false), "cancelling")
		}
	}
}
