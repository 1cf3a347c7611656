// Package files has files that move and files that stay.
package files

import amqp "github.com/rabbitmq/amqp091-go" // moves

type session struct {
	ch *amqp.Channel
}
