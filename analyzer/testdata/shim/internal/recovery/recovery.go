// Package recovery has its connections recovered.
package recovery

import amqp "github.com/rabbitmq/amqp091-go" // left recovery

func dial(url string) (*amqp.Connection, error) {
	return amqp.DialConfig(url, amqp.Config{Recovery: &amqp.Recovery{}})
}
