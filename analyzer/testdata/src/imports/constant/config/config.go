package config

const (
	Durable   = true
	Mandatory = false
)
