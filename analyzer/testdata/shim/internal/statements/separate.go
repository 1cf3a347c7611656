package statements

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // moves
)

func separate(conn *amqp.Connection, client *third.Client) error {
	third.Message(amqp.Publishing{})
	_ = client.Close()
	return conn.Close()
}
