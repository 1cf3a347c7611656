// Package switches has values behind interfaces with methods.
package switches

import (
	"io"

	"example.com/third"
	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func link(c io.Closer) {
	switch c := c.(type) {
	case *amqp.Connection:
		third.Link(c)
	}
}
