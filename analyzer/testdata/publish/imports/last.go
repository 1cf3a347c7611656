// Package imports has files whose imports come and go.
package imports

import "github.com/amqpfix/amqpfix/compat/amqp091"

var channel *amqp091.Channel
