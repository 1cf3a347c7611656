module example.com/shop

go 1.22

require github.com/amqpfix/amqpfix v0.0.0

require github.com/rabbitmq/amqp091-go v1.16.0 // indirect

replace github.com/amqpfix/amqpfix => ../..
