// Emit publishes a log record: emit kind key body, where kind is that of the
// exchange, fanout, direct, topic or headers.
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
	kind, key, body := os.Args[1], os.Args[2], os.Args[3]
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	ch, err := conn.Channel()
	check(err, "opening a channel")
	defer ch.Close()
	err = ch.ExchangeDeclare(
		"logs."+kind, // name
		kind,         // type
		true,         // durable
		false,        // auto-deleted
		false,        // internal
		false,        // no-wait
		nil,          // arguments
	)
	check(err, "declaring an exchange")

	msg := amqp.Publishing{ContentType: "text/plain", Body: []byte(body)}
	if kind == amqp.ExchangeHeaders {
		msg.Headers = amqp.Table{"severity": key}
		key = ""
	}
	check(ch.Publish("logs."+kind, key, false, false, msg), "publishing")
	fmt.Println("sent", body)
}
