package statements

import amqp "github.com/rabbitmq/amqp091-go" // left third-party-type

func use(conn *amqp.Connection) error {
	ch, err := conn.Channel()
	if err != nil {
		return err
	}
	wrap(ch)
	return nil
}
