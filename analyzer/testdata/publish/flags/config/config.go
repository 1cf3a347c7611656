// Package config has settings.
package config

const (
	Exchange  = "ex"
	Mandatory = false
)
