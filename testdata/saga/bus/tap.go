package bus

import (
	"log"

	"github.com/streadway/amqp"
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
	return t.Publish("", t.queue, false, false, amqp.Publishing{
		Type: "bus.tap",
		Body: []byte(note),
	})
}
