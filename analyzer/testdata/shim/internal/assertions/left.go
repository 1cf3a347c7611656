// Package assertions has values behind interfaces.
package assertions

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func wrap(v any) {
	if ch, ok := v.(*amqp.Channel); ok {
		third.Wrap(ch)
	}
}
