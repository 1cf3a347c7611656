package files

import _ "github.com/rabbitmq/amqp091-go" // stays
