// Package audit keeps a record of what was sent to whom.
package audit

import (
	"fmt"

	"github.com/rabbitmq/amqp091-go"
)

// Log is an audit log.
type Log struct {
	ch      *amqp091.Channel
	queue   string
	version int // of the record's format
	records int
}

// New returns a log in a queue.
func New(ch *amqp091.Channel, queue string, version int) *Log {
	return &Log{ch: ch, queue: queue, version: version}
}

// Record writes a record. The context is where in the program something happened.
func (l *Log) Record(context, what string) error {
	l.records++
	if err := l.ch.Publish("", l.queue, false, false, amqp091.Publishing{
		Headers: amqp091.Table{"context": context},
		Type:    "audit.record",
		Body:    []byte(what),
	}); err != nil {
		return fmt.Errorf("audit: %s: %w", context, err)
	}
	return nil
}

// Signal writes a record in whichever API the reader knows.
func (l *Log) Signal(what string) error {
	newapi := l.version > 1
	record := "1 " + what
	if newapi {
		record = fmt.Sprintf("%d %d %s", l.version, l.records, what)
	}
	return l.ch.Publish("", l.queue, false, false, amqp091.Publishing{Type: "audit.signal", Body: []byte(record)})
}

// During writes a record when work has returned, and even if it panics.
func (l *Log) During(name string, work func() error) error {
	defer l.ch.Publish("", l.queue, false, false, amqp091.Publishing{Type: "audit.during", AppId: name})
	return work()
}
