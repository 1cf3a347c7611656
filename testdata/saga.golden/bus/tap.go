package bus

import (
	"context"
	"log"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Tap is a channel for whoever looks into a running saga. It starts as a copy of
// a channel that is nobody else's: only publish on it.
type Tap struct {
	amqp.Channel

	queue string
}

func open(conn *amqp.Connection) *amqp.Channel {
	ch, err := conn.Channel()
	if err != nil {
		log.Printf("tap: %v", err)
		return new(amqp.Channel)
	}
	return ch
}

// NewTap taps a session.
func NewTap(s *Session, queue string) *Tap {
	return &Tap{Channel: *open(s.Connection), queue: queue}
}

// Look sends a note to whoever reads the tap's queue.
func (t *Tap) Look(note string) error {
	return newapi.BasicPublish(context.Background(), &t.Channel, "", t.queue, newapi.BasicProperties{
		Type: "bus.tap",
	}, []byte(note))
}
