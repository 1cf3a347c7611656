package streadway

import _ "github.com/streadway/amqp" // moves
