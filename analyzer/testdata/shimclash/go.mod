module example.com/shimclash

go 1.21

require (
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
	github.com/streadway/amqp v1.1.0
)

replace github.com/amqpfix/amqpfix => ../../..
