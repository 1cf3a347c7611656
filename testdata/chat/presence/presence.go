// Package presence keeps track of who is there.
package presence

import (
	"context"
	"sort"
	"strings"
	"time"

	"github.com/rabbitmq/amqp091-go"
)

// speaker is what presence is published on.
type speaker interface {
	PublishWithContext(ctx context.Context, exchange, key string, mandatory, immediate bool, msg amqp091.Publishing) error
}

// Presence is who is there.
type Presence struct {
	ch       *amqp091.Channel
	exchange string
	there    map[string]bool
}

// New returns a presence in which nobody is there.
func New(ch *amqp091.Channel, exchange string) *Presence {
	return &Presence{ch: ch, exchange: exchange, there: make(map[string]bool)}
}

// Beat says that somebody is there.
func (p *Presence) Beat(nick string) error {
	mandatory, immediate := false, false
	p.there[nick] = true
	return p.ch.Publish(p.exchange, "", mandatory, immediate, amqp091.Publishing{
		Headers:   amqp091.Table{"nick": nick},
		Timestamp: time.Unix(1600000000, 0),
		Type:      "presence.beat",
	})
}

// Away says that somebody is not there, and since when.
func (p *Presence) Away(ctx context.Context, nick string, since time.Time) error {
	delete(p.there, nick)
	if err := p.ch.PublishWithContext(
		ctx,
		p.exchange,
		"",
		false, false, // nobody has to know
		amqp091.Publishing{
			Headers: amqp091.Table{
				"nick":  nick,
				"since": since,
				"state": amqp091.Table{"away": true, "phone": false},
			},
			Type: "presence.away",
			Body: []byte(nick + " is away"),
		},
	); err != nil {
		return err
	}
	return nil
}

// list is the message that says who is there.
func (p *Presence) list(more ...string) *amqp091.Publishing {
	nicks := append([]string(nil), more...)
	for nick := range p.there {
		nicks = append(nicks, nick)
	}
	sort.Strings(nicks)
	return &amqp091.Publishing{Type: "presence.list", Body: []byte(strings.Join(nicks, " "))}
}

// List says who is there, and names those who may be.
func (p *Presence) List(ctx context.Context, more ...string) error {
	return p.ch.PublishWithContext(ctx, p.exchange, "", false, false, *p.list(more...))
}

// Tell says to anybody who can speak that somebody is there.
func Tell(ctx context.Context, s speaker, exchange, nick string) error {
	return s.PublishWithContext(ctx, exchange, "", false, false, amqp091.Publishing{Type: "presence.tell", Body: []byte(nick)})
}
