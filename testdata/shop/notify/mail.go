// Package notify tells customers things: by mail, by SMS, by push message and by
// webhook. It publishes what the gateways of each kind send on.
package notify

import (
	"fmt"

	"github.com/amqpfix/amqpfix/compat"
)

// Mailer asks for mails. It needs no more of a channel than a Model has.
type Mailer struct {
	model    compat.Model
	exchange string
}

// NewMailer returns a mailer that publishes to exchange.
func NewMailer(model compat.Model, exchange string) *Mailer {
	return &Mailer{model: model, exchange: exchange}
}

// Mail asks for a mail to address.
func (m *Mailer) Mail(address, subject, text string) error {
	props := m.model.CreateBasicProperties()
	props.SetType("notify.mail")
	props.SetContentType("text/plain")
	props.SetHeaders(compat.Table{"to": address, "subject": subject})
	if err := m.model.BasicPublish(m.exchange, "notify.mail", true, props, []byte(text)); err != nil {
		return fmt.Errorf("mail to %s: %w", address, err)
	}
	return nil
}
