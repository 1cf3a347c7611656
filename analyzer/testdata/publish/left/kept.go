package left

//amqpfix:ignore shim moves with the billing service
import upstream "github.com/rabbitmq/amqp091-go"
import streadway "github.com/streadway/amqp"

func kept(u *upstream.Channel, s *streadway.Channel) func(string, string, bool, bool, upstream.Publishing) error {
	_ = u.Publish("ex", "key", false, false, upstream.Publishing{})
	_ = s.Publish("ex", "key", false, false, streadway.Publishing{}) // left old-channel
	return u.Publish                                                 // left method-value
}
