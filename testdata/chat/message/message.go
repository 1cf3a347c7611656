// Package message makes and reads the messages of a chat.
package message

import (
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Text returns the message of what somebody says.
func Text(nick, text string) amqp.Publishing {
	return amqp.Publishing{
		Headers:     amqp.Table{"nick": nick},
		ContentType: "text/plain",
		Body:        []byte(text),
	}
}

// Nick returns who has sent a delivery.
func Nick(d amqp.Delivery) string {
	nick, ok := d.Headers["nick"].(string)
	if !ok {
		return "somebody"
	}
	return nick
}

// Command returns the command in a delivery, such as "help" in "/help me".
func Command(d amqp.Delivery) (name, rest string, ok bool) {
	if len(d.Body) == 0 || d.Body[0] != '/' {
		return "", "", false
	}
	name, rest, _ = strings.Cut(string(d.Body[1:]), " ")
	return name, rest, name != ""
}
