// Saga books two trips through the broker that AMQP_URL names, one of which
// fails and is taken back, and exits 0 when both ended as they should.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/streadway/amqp"

	"example.com/saga/archive"
	"example.com/saga/bus"
	"example.com/saga/notify"
	"example.com/saga/orchestrator"
	"example.com/saga/outbox"
	"example.com/saga/participant"
)

func main() {
	if err := run(os.Getenv("AMQP_URL")); err != nil {
		fmt.Fprintln(os.Stderr, "saga:", err)
		os.Exit(1)
	}
}

func run(url string) error {
	if url == "" {
		return errors.New("AMQP_URL is not set, want something like amqp://guest:guest@localhost:5672/")
	}
	lead, err := bus.Connect(url, "lead")
	if err != nil {
		return err
	}
	defer lead.Close()
	if err := lead.Log(); err != nil {
		return err
	}
	for _, part := range []func(string, *bus.Session) error{trips, commands, messages, store, last} {
		if err := part(url, lead); err != nil {
			return err
		}
	}
	return nil
}

// participants starts the services of a trip, each on a connection of its own.
// What they return comes through the channel.
func participants(url string) (<-chan error, error) {
	services := []struct {
		kind     string
		stock    int
		requests int
	}{
		{"hotel", 2, 3}, // two bookings, one cancellation
		{"flight", 1, 2},
	}
	served := make(chan error, len(services))
	for _, sv := range services {
		session, err := bus.Connect(url, sv.kind)
		if err != nil {
			return nil, err
		}
		requests, err := session.Listen("saga." + sv.kind)
		if err != nil {
			return nil, err
		}
		other, err := session.Connection.Channel()
		if err != nil {
			return nil, err
		}
		undo := "saga." + sv.kind + ".undo"
		if _, err := other.QueueDeclare(undo, false, true, true, false, nil); err != nil {
			return nil, err
		}
		cancellations, err := other.Consume(undo, "", true, true, false, false, nil)
		if err != nil {
			return nil, err
		}
		service, n := participant.New(session, sv.kind, sv.stock), sv.requests
		go func() {
			err := service.Serve(n, requests, cancellations)
			if e := session.Close(); err == nil {
				err = e
			}
			served <- err
		}()
	}
	return served, nil
}

func trips(url string, lead *bus.Session) error {
	served, err := participants(url)
	if err != nil {
		return err
	}
	o, err := orchestrator.New(lead, "saga.replies", "saga.patrons")
	if err != nil {
		return err
	}
	steps := []orchestrator.Step{
		{Name: "hotel", Do: "saga.hotel", Undo: "saga.hotel.undo"},
		{Name: "flight", Do: "saga.flight"},
	}
	if err := o.Run("trip-1", steps, 20*time.Second); err != nil {
		return err
	}
	// There was one seat.
	if err := o.Run("trip-2", steps, 20*time.Second); !errors.Is(err, orchestrator.ErrFailed) {
		return fmt.Errorf("trip-2: %v, want %v", err, orchestrator.ErrFailed)
	}
	for i := 0; i < cap(served); i++ {
		if err := <-served; err != nil {
			return err
		}
	}
	return nil
}

func commands(url string, lead *bus.Session) error {
	s, err := bus.Connect(url, "clerk")
	if err != nil {
		return err
	}
	defer s.Close()
	inbox, err := s.Listen("saga.clerk")
	if err != nil {
		return err
	}
	if err := lead.Queue("saga.answers"); err != nil {
		return err
	}
	if err := lead.Command("saga.clerk", "trip-1", "saga.answers", []byte("print ticket")); err != nil {
		return err
	}
	d, ok := <-inbox
	if !ok {
		return amqp.ErrClosed
	}
	if err := s.Reply(d, "printed"); err != nil {
		return err
	}
	if err := s.Event("trip-1", "ticket"); err != nil {
		return err
	}

	tx, err := s.Begin("saga.clerk")
	if err != nil {
		return err
	}
	for _, page := range []string{"one", "two"} {
		if err := tx.Add(amqp.Publishing{Type: "bus.tx", Body: []byte(page)}); err != nil {
			return err
		}
	}
	if n, err := tx.Commit(); err != nil || n != 2 {
		return fmt.Errorf("%d messages committed, %v", n, err)
	}
	return bus.NewTap(lead, "saga.answers").Look("all quiet")
}

func messages(_ string, lead *bus.Session) error {
	const queue = "saga.outbox"
	if err := lead.Queue(queue); err != nil {
		return err
	}
	o := outbox.New(lead.Channel, queue)
	o.Add(outbox.Message{Body: []byte("trip-1")}, outbox.Message{Body: []byte("trip-2"), Headers: amqp.Table{"failed": true}})
	o.Alarm(outbox.Message{Body: []byte("no seats"), Expiration: "60000"})
	piped := make(chan outbox.Message, 2)
	piped <- outbox.Message{Type: "outbox.pipe", Body: []byte("left")}
	piped <- outbox.Message{Type: "outbox.pipe", Body: []byte("right")}
	close(piped)
	if err := o.Flush(); err != nil {
		return err
	}
	if err := o.Labels(); err != nil {
		return err
	}
	if _, err := o.Pipe(piped); err != nil {
		return err
	}

	n := notify.New(lead.Channel, queue)
	if err := n.Mail("ada@example.com", "Your trip is booked"); err != nil {
		return err
	}
	if err := n.Text("0049301234", "Trip booked"); err != nil {
		return err
	}
	second, err := lead.Connection.Channel()
	if err != nil {
		return err
	}
	both := []*amqp.Channel{lead.Channel, second}
	return notify.Everywhere(both, queue, amqp.Publishing{Type: "notify.everywhere", Body: []byte("hello")})
}

func store(_ string, lead *bus.Session) error {
	a, err := archive.Open(lead.Connection, 2, "saga.archive")
	if err != nil {
		return err
	}
	if err := a.Store(context.Background(), "trip-1", []byte("page one"), []byte("page two"), nil); err != nil {
		return err
	}
	if err := a.Index("trip-1"); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Writer(), "%d pages\n", 3)
	return err
}

func last(_ string, lead *bus.Session) error {
	ch, err := lead.Connection.Channel()
	if err != nil {
		return err
	}
	return notify.Once(ch, "saga.outbox")(amqp.Publishing{Type: "notify.once", Body: []byte("bye")})
}
