package files

import . "github.com/rabbitmq/amqp091-go" // moves

var config Config
