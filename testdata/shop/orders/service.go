package orders

import (
	"errors"
	"fmt"
	"time"

	"github.com/amqpfix/amqpfix/compat"
	amqp "github.com/amqpfix/amqpfix/newapi"

	"example.com/shop/internal/stamp"
)

const appID = "orders"

// brokerWait is how long the broker may take to confirm or return a message.
const brokerWait = 10 * time.Second

// Service publishes the events of orders. Its methods must not be called at the
// same time: a confirmation is the next one on the channel.
type Service struct {
	ch       *compat.Channel
	exchange string
	stamps   stamp.Source
	strict   bool // quotes must reach somebody

	confirms <-chan amqp.Confirmation
	returns  <-chan compat.BasicReturn
}

// New puts ch in confirm mode and returns a service that publishes on it. With
// strict, a quote that no queue takes comes back; see Returned.
func New(ch *compat.Channel, exchange string, stamps stamp.Source, strict bool) (*Service, error) {
	if err := ch.Confirm(false); err != nil {
		return nil, fmt.Errorf("orders: confirm mode: %w", err)
	}
	return &Service{
		ch:       ch,
		exchange: exchange,
		stamps:   stamps,
		strict:   strict,
		confirms: ch.NotifyPublish(make(chan amqp.Confirmation, 8)),
		returns:  ch.NotifyBasicReturn(make(chan compat.BasicReturn, 8)),
	}, nil
}

// Placed announces a new order. Nobody listening for orders is an error in the
// configuration, so the message is mandatory.
func (s *Service) Placed(o Order) error {
	props := s.ch.CreateBasicProperties()
	props.SetContentType("application/json")
	props.SetType("orders.placed")
	props.SetMessageId(o.ID)
	props.SetPersistent(true) // an order outlives a restart of the broker
	props.SetAppId(appID)
	if err := s.ch.BasicPublish(s.exchange, "order.placed", true, props, encode(o)); err != nil {
		return fmt.Errorf("order %s: publish: %w", o.ID, err)
	}
	return s.confirmed(o)
}

// Paid announces that the money has arrived.
func (s *Service) Paid(o Order, method string) error {
	props := s.ch.CreateBasicProperties()
	props.SetType("orders.paid")
	// Accounting filters on these; agree with them before a name changes.
	props.SetHeaders(compat.Table{
		"customer":    o.Customer,
		"total-cents": o.Total,
		"method":      method,
		"attempt":     int32(1),
	})
	props.SetTimestamp(s.stamps.Now())
	props.SetDeliveryMode(2)

	err := s.ch.BasicPublish(s.exchange, "order.paid", false, props, encode(o))
	if err != nil {
		return fmt.Errorf("order %s: publish: %w", o.ID, err)
	}
	return s.confirmed(o)
}

// Quote offers an order's price to the sales system of its country, if it has
// one.
func (s *Service) Quote(o Order) error {
	props := s.ch.CreateBasicProperties()
	props.SetType("orders.quote")
	props.SetContentType("application/json")
	props.SetMessageId("quote-" + o.ID)
	err := s.ch.BasicPublish(s.exchange, "quote."+o.Country, s.strict, props, encode(o))
	if err != nil {
		return err
	}
	return s.confirmed(o)
}

// Returned waits for a quote that no queue took and returns its id.
func (s *Service) Returned() (id string, err error) {
	select {
	case r, ok := <-s.returns:
		if !ok {
			return "", errors.New("orders: the channel closed before a message came back")
		}
		return r.Properties.MessageId(), nil
	case <-time.After(brokerWait):
		return "", errors.New("orders: no message came back")
	}
}

// confirmed waits for the broker's word on the last message.
func (s *Service) confirmed(o Order) error {
	select {
	case c, ok := <-s.confirms:
		switch {
		case !ok:
			return fmt.Errorf("order %s: the channel closed before the broker confirmed", o.ID)
		case !c.Ack:
			return fmt.Errorf("order %s: the broker refused message %d", o.ID, c.DeliveryTag)
		}
		return nil
	case <-time.After(brokerWait):
		return fmt.Errorf("order %s: no confirmation within %v", o.ID, brokerWait)
	}
}
