// Package outbox keeps messages until what they tell of is in the database.
package outbox

import (
	"fmt"
	"sort"

	amqp "github.com/streadway/amqp"
)

// Message is what the outbox holds. Its type is set when it goes out.
type Message = amqp.Publishing

// Outbox belongs to one unit of work.
type Outbox struct {
	ch      *amqp.Channel
	queue   string
	pending []Message
	urgent  *Message
	labels  map[string]Message
}

// New returns an empty outbox for messages to a queue.
func New(ch *amqp.Channel, queue string) *Outbox {
	return &Outbox{
		ch:    ch,
		queue: queue,
		labels: map[string]Message{
			"begin": {Type: "outbox.label", Body: []byte("begin")},
			"end":   {Type: "outbox.label", Body: []byte("end"), Priority: 1},
		},
	}
}

// Add keeps a message for Flush.
func (o *Outbox) Add(messages ...Message) { o.pending = append(o.pending, messages...) }

// Alarm keeps a message that goes before all others. There is room for one.
func (o *Outbox) Alarm(m Message) {
	m.Type = "outbox.alarm"
	o.urgent = &m
}

// Flush sends what was kept.
func (o *Outbox) Flush() error {
	if o.urgent != nil {
		if err := o.ch.Publish("", o.queue, false, false, *o.urgent); err != nil {
			return fmt.Errorf("outbox: alarm: %w", err)
		}
		o.urgent = nil
	}
	for i := range o.pending {
		o.pending[i].Type = "outbox.flush"
		if err := o.ch.Publish("", o.queue, false, false, o.pending[i]); err != nil {
			o.pending = o.pending[i:]
			return fmt.Errorf("outbox: message %d: %w", i, err)
		}
	}
	o.pending = nil
	return nil
}

// Labels sends every label, in order.
func (o *Outbox) Labels() error {
	names := make([]string, 0, len(o.labels))
	for name := range o.labels {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := o.ch.Publish("", o.queue, false, false, o.labels[name]); err != nil {
			return err
		}
	}
	return nil
}

// Pipe sends what comes through a Go channel until that is closed.
func (o *Outbox) Pipe(messages <-chan Message) (n int, err error) {
	for msg := range messages {
		if err := o.ch.Publish("", o.queue, false, false, msg); err != nil {
			return n, err
		}
		n++
	}
	// An alias is the same type.
	return n, o.ch.Publish("", o.queue, false, false, Message{Type: "outbox.piped", Body: []byte(fmt.Sprint(n))})
}
