package switches

import (
	"io"

	amqp "github.com/rabbitmq/amqp091-go" // left third-party-type
)

func closers(conn *amqp.Connection) []io.Closer { return []io.Closer{conn} }
