package files

import (
	"context"
	"fmt"

	"github.com/rabbitmq/amqp091-go" // moves
)

var connection *amqp091.Connection

var _, _ = context.Background, fmt.Sprint
