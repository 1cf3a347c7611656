// Package archive writes trips into cold storage. It came to us with another
// team's code.
package archive

import (
	"context"
	"fmt"
	"io"

	amqpDriver "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// Archive has several channels and uses them in turn.
type Archive struct {
	channels []*amqpDriver.Channel
	next     int
	queue    string
}

// Open opens n channels.
func Open(conn *amqpDriver.Connection, n int, queue string) (*Archive, error) {
	a := &Archive{queue: queue}
	for i := 0; i < n; i++ {
		ch, err := conn.Channel()
		if err != nil {
			return nil, fmt.Errorf("archive: channel %d: %w", i, err)
		}
		a.channels = append(a.channels, ch)
	}
	_, err := a.channels[0].QueueDeclare(queue, false, true, true, false, nil)
	return a, err
}

func (a *Archive) channel() *amqpDriver.Channel {
	ch := a.channels[a.next%len(a.channels)]
	a.next++
	return ch
}

// Store stores a trip.
func (a *Archive) Store(ctx context.Context, trip string, pages ...[]byte) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	// Whatever happens, say where it ended.
	defer func() {
		if e := newapi.BasicPublish(context.Background(), a.channels[0], "", a.queue, newapi.BasicProperties{
			Type: "archive.end",
		}, []byte(trip)); e != nil && err == nil {
			err = e
		}
	}()
	for i, page := range pages {
		err := newapi.BasicPublish(context.Background(), a.channel(),
			"",      // exchange
			a.queue, // routing key
			newapi.BasicProperties{
				Headers: amqpDriver.Table{
					"trip": trip,
					"page": int64(i), // from 0
				},
				ContentEncoding: "gzip",
				Type:            "archive.page",
			},
			page)
		if err != nil {
			return fmt.Errorf("archive: page %d of %s: %w", i, trip, err)
		}
	}
	return nil
}

// put has a writer's order: what, then where.
func put(msg amqpDriver.Publishing, immediate, mandatory bool, key string, ch *amqpDriver.Channel) error {
	return newapi.BasicPublish(context.Background(), ch, "", key, amqpDriver.Header(msg), msg.Body, newapi.FlagsIf(mandatory, immediate))
}

// Index writes an entry that has to find a reader.
func (a *Archive) Index(entry string) error {
	return put(amqpDriver.Publishing{Type: "archive.index", Body: []byte(entry)}, false, true, a.queue, a.channels[0])
}

// writer makes an io.Writer of an archive: a line, a message.
type writer struct{ *Archive }

func (w writer) Write(line []byte) (int, error) {
	var e error
	if e = newapi.BasicPublish(context.Background(), w.channels[0], "", w.queue, newapi.BasicProperties{Type: "archive.line"}, line); e != nil {
		return 0, e
	}
	return len(line), nil
}

// Writer returns the archive as a writer.
func (a *Archive) Writer() io.Writer { return writer{a} }
