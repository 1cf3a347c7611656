// Package exported has declarations that other modules may use.
package exported

import amqp "github.com/rabbitmq/amqp091-go" // left exported-signature

// Session has an exported field.
type Session struct {
	Channel *amqp.Channel
}
