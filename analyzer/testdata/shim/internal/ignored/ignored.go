// Package ignored is not to be touched.
package ignored

//amqpfix:ignore shim the broker plugin needs the old client
import amqp "github.com/rabbitmq/amqp091-go" // left ignored

var ch *amqp.Channel
