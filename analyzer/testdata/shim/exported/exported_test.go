package exported

import (
	"testing"

	amqp "github.com/rabbitmq/amqp091-go" // moves
)

// Connection is nothing that other modules see.
var Connection *amqp.Connection

func TestConnection(t *testing.T) { _ = Connection }
