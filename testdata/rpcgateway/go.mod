module example.com/rpcgateway

go 1.24.0

require (
	example.com/amqptrace v0.3.0
	github.com/amqpfix/amqpfix v0.0.0
	github.com/rabbitmq/amqp091-go v1.16.0
)

replace (
	example.com/amqptrace => ./third_party/amqptrace
	github.com/amqpfix/amqpfix => ../..
)
