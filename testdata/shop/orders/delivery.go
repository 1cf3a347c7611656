package orders

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

// Priorities of what the warehouse reads from its priority queue.
const (
	normalPriority  uint8 = 3
	expressPriority uint8 = 7
)

// Shipped announces that carrier has taken an order's parcels.
func (s *Service) Shipped(o Order, carrier string) error {
	props := s.ch.CreateBasicProperties()
	props.SetType("orders.shipped")
	props.SetContentType("application/json")
	// One key per country, so that a warehouse binds to its own.
	key := "order.shipped." + strings.ToLower(o.Country)
	props.SetCorrelationId(o.ID)
	props.SetHeaders(compat.Table{"carrier": carrier, "parcels": o.Parcels})
	if err := s.ch.BasicPublish(s.exchange, key, false, props, encode(o)); err != nil {
		return fmt.Errorf("order %s: publish: %w", o.ID, err)
	}
	return s.confirmed(o)
}

// Pick asks the warehouse to pick an order, an express order before the others.
func (s *Service) Pick(o Order) error {
	props := s.ch.CreateBasicProperties()
	props.SetType("orders.pick")
	props.SetPriority(normalPriority)
	if o.Express {
		props.SetPriority(expressPriority)
		props.SetHeaders(compat.Table{"express": true})
	}
	err := s.ch.BasicPublish(s.exchange, "order.pick", false, props, encode(o))
	if err != nil {
		return err
	}
	return s.confirmed(o)
}

// Cancelled announces that an order will not be delivered.
func (s *Service) Cancelled(o Order) error {
	props := s.ch.CreateBasicProperties()
	props.SetMessageId(s.stamps.NewID())
	props.SetTimestamp(s.stamps.Now()) // the time of the decision, not of the order
	props.SetType("orders.cancelled")
	props.SetAppId(appID)
	if err := s.ch.BasicPublish(s.exchange, "order.cancelled", false, props, encode(o)); err != nil {
		return fmt.Errorf("order %s: publish: %w", o.ID, err)
	}
	return s.confirmed(o)
}

// Remind asks for an unpaid order's money. A reminder that nobody has sent on
// within ttl is worth nothing.
func (s *Service) Remind(o Order, ttl time.Duration) error {
	props := s.ch.CreateBasicProperties()
	props.SetType("orders.reminder")
	props.SetExpiration(strconv.FormatInt(ttl.Milliseconds(), 10))
	props.SetContentType("text/plain")
	props.SetContentEncoding("utf-8")
	body := []byte("Dear " + o.Customer + ", order " + o.ID + " is not paid yet.")
	if err := s.ch.BasicPublish(s.exchange, "order.reminder", false, props, body); err != nil {
		return fmt.Errorf("order %s: publish: %w", o.ID, err)
	}
	return s.confirmed(o)
}
