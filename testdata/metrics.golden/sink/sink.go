// Package sink takes text from programs that know nothing of RabbitMQ.
package sink

import (
	"bufio"
	"context"
	"fmt"
	"io"

	ampq "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Sink gives every line to RabbitMQ, and a copy to a writer.
type Sink struct {
	*ampq.Channel
	*bufio.Writer // the copy

	queue string
	lines int
}

// New returns a sink that copies to w.
func New(ch *ampq.Channel, queue string, w io.Writer) *Sink {
	return &Sink{Channel: ch, Writer: bufio.NewWriter(w), queue: queue}
}

// Line takes a line.
func (s *Sink) Line(line string) error {
	s.lines++
	if err := newapi.BasicPublish(context.Background(), s.Channel, "", s.queue, newapi.BasicProperties{
		Headers: ampq.Table{"line": int64(s.lines)},
		Type:    "sink.line",
	}, []byte(line)); err != nil {
		return fmt.Errorf("sink: line %d: %w", s.lines, err)
	}
	if _, err := s.WriteString(line + "\n"); err != nil {
		return err
	}
	return s.Flush()
}

// Block takes several lines at once.
func (s *Sink) Block(lines ...string) error {
	return ampq.BasicPublish(context.Background(), s.Channel, "", s.queue, NewBuilder("sink.block").Lines(lines...).Build())
}

// Builder builds a message.
type Builder struct {
	msg ampq.Publishing
}

// NewBuilder returns a builder of messages of a type.
func NewBuilder(typ string) *Builder {
	return &Builder{msg: ampq.Publishing{ContentType: "text/plain", Type: typ}}
}

// Lines adds lines to the body.
func (b *Builder) Lines(lines ...string) *Builder {
	for _, line := range lines {
		b.msg.Body = append(append(b.msg.Body, line...), '\n')
	}
	return b
}

// Header sets a header.
func (b *Builder) Header(name, value string) *Builder {
	if b.msg.Headers == nil {
		b.msg.Headers = make(ampq.Table)
	}
	b.msg.Headers[name] = value
	return b
}

// Build returns the message.
func (b *Builder) Build() ampq.Publishing { return b.msg }

// Send sends the message, which may be built further and sent again.
func (b *Builder) Send(ch *ampq.Channel, queue string) error {
	return newapi.BasicPublish(context.Background(), ch, "", queue, ampq.Header(b.msg), b.msg.Body)
}

// Goodbye is sent from behind the caller's back: wait for the confirmation.
func Goodbye(ch *ampq.Channel, queue string) <-chan ampq.Confirmation {
	confirmed := ch.NotifyPublish(make(chan ampq.Confirmation, 1))
	go newapi.BasicPublish(context.Background(), ch, "", queue, newapi.BasicProperties{Type: "sink.goodbye"}, []byte("bye"))
	return confirmed
}
