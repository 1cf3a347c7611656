package config

import "github.com/amqpfix/amqpfix/compat"

const (
	Durable   = true
	Mandatory = false
	Name      = "shop"
)

var Channel *compat.Channel
