module example.com/metrics

go 1.21

require (
	github.com/amqpfix/amqpfix v0.0.0
	github.com/streadway/amqp v1.1.0
)

require github.com/rabbitmq/amqp091-go v1.16.0 // indirect

replace github.com/amqpfix/amqpfix => ../..
