package orders

import "fmt"

// Refund tells the customer's mailbox and then the ledger that cents go back.
// The two read the same message, but for who it is for.
func (s *Service) Refund(o Order, cents int64) error {
	body := []byte(fmt.Sprintf(`{"order":%q,"cents":%d}`, o.ID, cents))

	props := s.ch.CreateBasicProperties()
	props.SetType("orders.refund.customer")
	props.SetContentType("application/json")
	props.SetCorrelationId(o.ID)
	props.SetReplyTo("service-desk")
	if err := s.ch.BasicPublish(s.exchange, "order.refund.customer", false, props, body); err != nil {
		return fmt.Errorf("order %s: tell the customer: %w", o.ID, err)
	}
	if err := s.confirmed(o); err != nil {
		return err
	}

	// The ledger answers to nobody and must not lose it.
	props.SetType("orders.refund.ledger")
	props.ClearReplyTo()
	if !props.IsDeliveryModePresent() {
		props.SetPersistent(true)
	}
	if err := s.ch.BasicPublish(s.exchange, "order.refund.ledger", false, props, body); err != nil {
		return fmt.Errorf("order %s: tell the ledger: %w", o.ID, err)
	}
	return s.confirmed(o)
}
