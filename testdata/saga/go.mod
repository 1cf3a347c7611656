module example.com/saga

go 1.18

require github.com/streadway/amqp v1.1.0
