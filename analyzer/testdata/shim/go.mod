module example.com/shim

go 1.21

require (
	example.com/third v0.0.0
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
	github.com/streadway/amqp v1.1.0
)

replace (
	example.com/third => ./third
	github.com/amqpfix/amqpfix => ../../..
)
