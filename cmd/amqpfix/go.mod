module github.com/amqpfix/amqpfix/cmd/amqpfix

go 1.26.0

require (
	github.com/amqpfix/amqpfix/analyzer v0.0.0-00010101000000-000000000000
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.52.0
)

require github.com/rabbitmq/amqp091-go v1.16.0 // indirect

require (
	github.com/amqpfix/amqpfix v0.0.0-00010101000000-000000000000
	github.com/aymanbagabas/go-udiff v0.4.2 // indirect
	golang.org/x/mod v0.43.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/amqpfix/amqpfix/analyzer => ../../analyzer

replace github.com/amqpfix/amqpfix => ../..
