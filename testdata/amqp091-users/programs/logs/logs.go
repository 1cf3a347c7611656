// Logs prints log records: logs count kind key..., where kind is that of the
// exchange, fanout, direct, topic or headers.
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
	kind, keys := os.Args[2], os.Args[3:]
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "opening a channel")
	defer ch.Close()
	check(ch.ExchangeDeclare("logs."+kind, kind, true, false, false, false, nil), "declaring an exchange")
	q, err := ch.QueueDeclare(
		"",    // name: the broker's choice
		false, // durable
		false, // delete when unused
		true,  // exclusive
		false, // no-wait
		nil,   // arguments
	)
	check(err, "declaring a queue")
	for _, key := range keys {
		var args amqp.Table
		if kind == amqp.ExchangeHeaders {
			args = amqp.Table{"x-match": "all", "severity": key}
		}
		check(ch.QueueBind(q.Name, key, "logs."+kind, false, args), "binding")
	}
	msgs, err := ch.Consume(q.Name, "", true, false, false, false, nil)
	check(err, "consuming")

	fmt.Println("waiting")
	for d := range msgs {
		fmt.Printf("%s %q: %s %v\n", d.Exchange, d.RoutingKey, d.Body, d.Headers)
		if count--; count == 0 {
			return
		}
	}
}
