// Package arguments has a type with type arguments.
package arguments

import (
	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

type pool[T any] struct{ free []T }

func (p *pool[T]) get() T { return p.free[0] }

func (p *pool[T]) put(t T) { p.free = append(p.free, t) }

func wrap() {
	var ch *amqp.Channel
	ch = channels.get()
	third.Wrap(ch)
}
