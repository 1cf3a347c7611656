// Package bus is how the services of a trip talk to each other.
package bus

import (
	"fmt"

	"github.com/streadway/amqp"
)

// Names of what Connect declares.
const (
	Events   = "saga.events" // topic exchange
	EventLog = "saga.event-log"
)

// Session is a connection and the one channel that we use of it. Reconnecting
// means to make a new Session.
type Session struct {
	*amqp.Connection
	*amqp.Channel

	name string
}

// Connect dials url and declares the exchange for events.
func Connect(url, name string) (*Session, error) {
	conn, err := amqp.Dial(url)
	if err != nil {
		return nil, fmt.Errorf("%s: dial: %w", name, err)
	}
	ch, err := conn.Channel()
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s: open a channel: %w", name, err)
	}
	s := &Session{Connection: conn, Channel: ch, name: name}
	if err := s.ExchangeDeclare(Events, amqp.ExchangeTopic, false, true, false, false, nil); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Log declares the queue that gets a copy of every event.
func (s *Session) Log() error {
	if err := s.Queue(EventLog); err != nil {
		return err
	}
	return s.QueueBind(EventLog, "#", Events, false, nil)
}

// Queue declares a queue that goes with the session.
func (s *Session) Queue(name string) error {
	_, err := s.QueueDeclare(name, false, true, true, false, nil)
	return err
}

// Listen declares a queue and returns what arrives there.
func (s *Session) Listen(queue string) (<-chan amqp.Delivery, error) {
	if err := s.Queue(queue); err != nil {
		return nil, err
	}
	return s.Consume(queue, s.name, true, true, false, false, nil)
}

// Close closes the connection, and with it the channel. Both have a Close, so
// one had to be chosen.
func (s *Session) Close() error { return s.Connection.Close() }
