// Package ports has the interfaces behind which the rest of the program sees
// RabbitMQ.
package ports

import (
	"context"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

//go:generate go run go.uber.org/mock/mockgen@v0.6.0 -source=ports.go -destination=../mocks/ports.go -package=mocks

// Publisher is the part of a channel that publishes.
type Publisher interface {
	Publish(exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) error
	PublishWithDeferredConfirmWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp.Publishing) (*amqp.DeferredConfirmation, error)
}

// Consumer is the part of a channel that receives.
type Consumer interface {
	Consume(queue, consumer string, autoAck, exclusive, noLocal, noWait bool, args amqp.Table) (<-chan amqp.Delivery, error)
	Get(queue string, autoAck bool) (amqp.Delivery, bool, error)
	Qos(prefetchCount, prefetchSize int, global bool) error
	Cancel(consumer string, noWait bool) error
}

// Topology is the part of a channel that declares.
type Topology interface {
	ExchangeDeclare(name, kind string, durable, autoDelete, internal, noWait bool, args amqp.Table) error
	QueueDeclare(name string, durable, autoDelete, exclusive, noWait bool, args amqp.Table) (amqp.Queue, error)
	QueueBind(name, key, exchange string, noWait bool, args amqp.Table) error
	QueueDelete(name string, ifUnused, ifEmpty, noWait bool) (int, error)
}

// Channel mirrors *amqp.Channel.
type Channel interface {
	Publisher
	Consumer
	Topology
	amqp.Acknowledger
	Confirm(noWait bool) error
	NotifyClose(c chan *amqp.Error) chan *amqp.Error
	NotifyPublish(confirm chan amqp.Confirmation) chan amqp.Confirmation
	NotifyReturn(c chan amqp.Return) chan amqp.Return
	Tx() error
	TxCommit() error
	TxRollback() error
	IsClosed() bool
	Close() error
}

// Connection mirrors *amqp.Connection.
type Connection interface {
	Channel() (*amqp.Channel, error)
	NotifyClose(receiver chan *amqp.Error) chan *amqp.Error
	NotifyBlocked(receiver chan amqp.Blocking) chan amqp.Blocking
	IsClosed() bool
	Close() error
	CloseDeadline(deadline time.Time) error
}

var (
	_ Channel    = (*amqp.Channel)(nil)
	_ Connection = (*amqp.Connection)(nil)
	_ Channel    = &amqp.Channel{}
	_ Connection = &amqp.Connection{}
)

// Dialler dials; tests replace it.
type Dialler func(url string, config amqp.Config) (*amqp.Connection, error)

var _ Dialler = amqp.DialConfig

// Transient tells errors after which a publish may be tried again on a new
// channel.
func Transient(err error) bool {
	if err == amqp.ErrClosed {
		return true
	}
	e, ok := err.(*amqp.Error)
	if !ok {
		return false
	}
	switch e.Code {
	case amqp.ConnectionForced, amqp.ContentTooLarge, amqp.InternalError:
		return true
	case amqp.NotFound, amqp.AccessRefused:
		return false
	}
	return e.Recoverable() || e.Temporary()
}
