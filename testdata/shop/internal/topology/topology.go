// Package topology names and declares the exchanges and queues of the shop.
package topology

import (
	"fmt"

	"github.com/amqpfix/amqpfix/compat"
)

// Names are the exchanges and queues of one installation. Several can share a
// broker, each under a prefix of its own.
type Names struct {
	Events string // topic exchange: orders, prices and notifications
	Audit  string // fanout exchange

	EventLog     string // queue: every event of an order
	PriceBoard   string // queue: every price message
	Outbox       string // queue: every notification
	AuditLog     string // queue: every audit record
	Reservations string // queue: requests to the stock service
	Replies      string // queue: its answers
	Jobs         string // queue: the retry worker's work
	Parked       string // queue: jobs that failed too often
}

// Named returns the names under prefix.
func Named(prefix string) Names {
	return Names{
		Events:       prefix + ".events",
		Audit:        prefix + ".audit",
		EventLog:     prefix + ".event-log",
		PriceBoard:   prefix + ".price-board",
		Outbox:       prefix + ".outbox",
		AuditLog:     prefix + ".audit-log",
		Reservations: prefix + ".reservations",
		Replies:      prefix + ".replies",
		Jobs:         prefix + ".jobs",
		Parked:       prefix + ".parked",
	}
}

// Declare makes all of it on ch. Queues are exclusive to ch's connection and
// exchanges go with their last binding: nothing is left on the broker when the
// connection ends.
func (n Names) Declare(ch *compat.Channel) error {
	exchanges := []struct{ name, kind string }{
		{n.Events, "topic"},
		{n.Audit, "fanout"},
	}
	for _, e := range exchanges {
		if err := ch.ExchangeDeclare(e.name, e.kind, false, true, false, false, nil); err != nil {
			return fmt.Errorf("declare exchange %s: %w", e.name, err)
		}
	}
	queues := []string{
		n.EventLog, n.PriceBoard, n.Outbox, n.AuditLog,
		n.Reservations, n.Replies, n.Jobs, n.Parked,
	}
	for _, q := range queues {
		if _, err := ch.QueueDeclare(q, false, false, true, false, nil); err != nil {
			return fmt.Errorf("declare queue %s: %w", q, err)
		}
	}
	bindings := []struct{ queue, key, exchange string }{
		{n.EventLog, "order.#", n.Events},
		{n.PriceBoard, "price.#", n.Events},
		{n.Outbox, "notify.#", n.Events},
		{n.AuditLog, "", n.Audit},
	}
	for _, b := range bindings {
		if err := ch.QueueBind(b.queue, b.key, b.exchange, false, nil); err != nil {
			return fmt.Errorf("bind %s to %s: %w", b.queue, b.exchange, err)
		}
	}
	return nil
}
