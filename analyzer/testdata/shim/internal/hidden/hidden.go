// Package hidden exports what only its own module can use.
package hidden

import amqp "github.com/rabbitmq/amqp091-go" // moves

// Channel is one.
var Channel *amqp.Channel
