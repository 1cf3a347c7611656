module example.com/users

go 1.23.0

require (
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
	go.uber.org/mock v0.6.0
)

replace github.com/amqpfix/amqpfix => ../..
