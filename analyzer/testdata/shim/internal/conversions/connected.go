package conversions

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

type theirs struct{ ch *amqp.Channel }
