package unkeyed

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

func hold(ch *amqp.Channel) holder { return holder{ch} }
