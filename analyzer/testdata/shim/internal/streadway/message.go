package streadway

import ampq "github.com/streadway/amqp" // moves

var message ampq.Publishing
