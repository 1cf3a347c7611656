package flags

const (
	Durable   = true
	Mandatory = false
)
