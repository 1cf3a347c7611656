// Package bot answers commands.
package bot

import (
	"context"
	"fmt"
	"strings"

	ampq "github.com/rabbitmq/amqp091-go"

	"example.com/chat/message"
)

// Bot reads one queue.
type Bot struct {
	ch       *ampq.Channel
	room     string
	commands map[string]func(d ampq.Delivery, rest string) error
}

// New returns a bot that speaks in a room.
func New(ch *ampq.Channel, room string) *Bot {
	b := &Bot{ch: ch, room: room}
	b.commands = map[string]func(ampq.Delivery, string) error{
		"echo": b.echo,
		"joke": func(d ampq.Delivery, _ string) error {
			return ch.Publish(room, "", false, false, ampq.Publishing{
				ReplyTo: d.ReplyTo,
				Type:    "bot.joke",
				Body:    []byte("A rabbit and a queue walk into a bar."),
			})
		},
	}
	return b
}

// Do does what a delivery asks for.
func (b *Bot) Do(ctx context.Context, d ampq.Delivery) error {
	name, rest, ok := message.Command(d)
	if !ok {
		return nil
	}
	if do := b.commands[name]; do != nil {
		return do(d, rest)
	}
	switch name {
	case "help":
		var names []string
		for _, n := range []string{"echo", "help", "joke"} {
			names = append(names, "/"+n)
		}
		return b.ch.PublishWithContext(ctx, "", d.ReplyTo, false, false, ampq.Publishing{
			CorrelationId: d.CorrelationId,
			Type:          "bot.help",
			Body:          []byte(strings.Join(names, " ")),
		})
	default:
		err := b.ch.PublishWithContext(ctx, "", d.ReplyTo, false, false, ampq.Publishing{
			CorrelationId: d.CorrelationId,
			Type:          "bot.unknown",
			Body:          []byte("What is " + name + ", " + message.Nick(d) + "?"),
		})
		if err != nil {
			return fmt.Errorf("bot: %s: %w", name, err)
		}
	}
	return nil
}

// echo says something again.
func (b *Bot) echo(d ampq.Delivery, rest string) error {
	reply := ampq.Publishing{
		Headers:       d.Headers, // the nick of who said it first
		CorrelationId: d.CorrelationId,
		Type:          "bot.echo",
		Body:          []byte(rest),
	}
	if err := b.ch.Publish("", d.ReplyTo, false, false, reply); err != nil {
		return fmt.Errorf("bot: echo: %w", err)
	}
	return nil
}

// Poll asks several questions and waits until all of them are with the broker.
// The bot's channel must be in confirm mode.
func (b *Bot) Poll(ctx context.Context, questions ...string) (err error) {
	confirmations := make([]*ampq.DeferredConfirmation, len(questions))
	for i, question := range questions {
		confirmations[i], err = b.ch.PublishWithDeferredConfirmWithContext(ctx, b.room, "", false, false, ampq.Publishing{
			Priority: uint8(i),
			Type:     "bot.poll",
			Body:     []byte(question),
		})
		if err != nil {
			return err
		}
	}
	for _, c := range confirmations {
		if _, err := c.WaitContext(ctx); err != nil {
			return err
		}
	}
	return nil
}
