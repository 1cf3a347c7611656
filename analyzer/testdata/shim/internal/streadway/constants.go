// Package streadway has files on streadway/amqp.
package streadway

import "github.com/streadway/amqp" // moves

const mode = amqp.Persistent
