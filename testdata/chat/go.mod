module example.com/chat

go 1.19

require (
	example.com/chat/transport v0.0.0
	github.com/rabbitmq/amqp091-go v1.9.0
)

replace example.com/chat/transport => ./transport
