package notify

import (
	"fmt"
	"strings"

	mq "github.com/amqpfix/amqpfix/compat"
)

// Gateway asks for everything that is not a mail.
type Gateway struct {
	ch       *mq.Channel
	exchange string
	sms      mq.BasicProperties // every SMS has the same
}

// NewGateway returns a gateway that publishes to exchange. SMS are sent in the
// name of sender.
func NewGateway(ch *mq.Channel, exchange, sender string) *Gateway {
	g := &Gateway{ch: ch, exchange: exchange, sms: ch.CreateBasicProperties()}
	g.sms.SetType("notify.sms")
	g.sms.SetAppId(sender)
	g.sms.SetExpiration("300000") // five minutes: most carry a code to type in
	return g
}

// SMS asks for a text message to number.
func (g *Gateway) SMS(number, text string) error {
	return g.ch.BasicPublish(g.exchange, "notify.sms."+number, false, g.sms, []byte(text))
}

// Push asks for a push message to a device.
func (g *Gateway) Push(device, text string) error {
	props := g.ch.CreateBasicProperties()
	props.SetType("notify.push")
	address(props, device)
	return g.ch.BasicPublish(g.exchange, "notify.push", false, props, []byte(text))
}

// address says in a message's headers which device it is for.
func address(props mq.BasicProperties, device string) {
	platform, token, found := strings.Cut(device, ":")
	if !found {
		platform, token = "any", device
	}
	props.SetHeaders(mq.Table{"platform": platform, "token": token})
}

// Webhook asks for a call of url, and once more if the first cannot be sent.
func (g *Gateway) Webhook(url string, payload []byte) error {
	props := g.ch.CreateBasicProperties()
	props.SetType("notify.webhook")
	props.SetHeaders(mq.Table{"url": url})
	send := g.ch.BasicPublish
	if err := send(g.exchange, "notify.webhook", false, props, payload); err == nil {
		return nil
	}
	return send(g.exchange, "notify.webhook", false, props, payload)
}

// Welcome greets a new customer.
func (g *Gateway) Welcome(name string) error {
	var props = g.ch.CreateBasicProperties()
	props.SetType("notify.welcome")
	props.SetContentType("text/plain; charset=utf-8")
	props.SetContentEncoding("identity") /* the gateway insists */
	return g.ch.BasicPublish(g.exchange, "notify.welcome", false, props, []byte("Welcome, "+name+"!"))
}

// Survey asks a customer how we did. The answer carries the survey's own id.
func (g *Gateway) Survey(id, customer string) error {
	props := g.ch.CreateBasicProperties()
	props.SetType("notify.survey")
	props.SetMessageId("survey-" + id)
	props.SetCorrelationId(props.MessageId())
	props.SetReplyTo("surveys")
	err := g.ch.BasicPublish(g.exchange, "notify.survey", false, props, []byte(customer))
	if err != nil {
		return fmt.Errorf("survey %s: %w", id, err)
	}
	return nil
}

// Digest asks the gateways to send what they have collected.
func (g *Gateway) Digest() error {
	return g.ch.BasicPublish(g.exchange, "notify.digest", false, g.ch.CreateBasicProperties(), []byte("notify.digest"))
}
