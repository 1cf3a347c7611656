package vet

import amqp "github.com/amqpfix/amqpfix/compat/amqp091"

var (
	shared  *amqp.Channel
	message amqp.Publishing
)
