module github.com/amqpfix/amqpfix/internal/tools

go 1.26.0

tool honnef.co/go/tools/cmd/staticcheck

require (
	github.com/amqpfix/amqpfix v0.0.0-00010101000000-000000000000
	github.com/amqpfix/amqpfix/analyzer v0.0.0-00010101000000-000000000000
	github.com/aymanbagabas/go-udiff v0.4.2
	golang.org/x/tools v0.52.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/rabbitmq/amqp091-go v1.16.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.43.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

replace github.com/amqpfix/amqpfix => ../..

replace github.com/amqpfix/amqpfix/analyzer => ../../analyzer
