// Package room fans out what is said in a room to everybody who is there.
package room

import (
	"context"
	"fmt"
	"sort"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/chat/message"
)

// Room is a channel and the exchange of a room.
type Room struct {
	*amqp.Channel
	Name string
}

// Enter returns a room, which there is from then on.
func Enter(ch *amqp.Channel, name string) (*Room, error) {
	r := &Room{Channel: ch, Name: name}
	if err := r.ExchangeDeclare(name, "fanout", false, true, false, false, nil); err != nil {
		return nil, fmt.Errorf("room %s: %w", name, err)
	}
	return r, nil
}

// Seat declares a queue that gets all that is said from now on.
func (r *Room) Seat(nick string) (string, error) {
	q, err := r.QueueDeclare(r.Name+"."+nick, false, true, true, false, nil)
	if err != nil {
		return "", err
	}
	return q.Name, r.QueueBind(q.Name, "", r.Name, false, nil)
}

// Say says something.
func (r *Room) Say(ctx context.Context, nick, text string) error {
	return r.PublishWithContext(ctx,
		r.Name, // exchange
		"",     // routing key
		false,  // mandatory
		false,  // immediate
		amqp.Publishing{
			Headers: amqp.Table{"nick": nick},
			Type:    "room.say",
			Body:    []byte(text),
		})
}

// Shout says something in red.
func (r *Room) Shout(msg amqp.Publishing) error {
	if msg.Headers == nil {
		msg.Headers = amqp.Table{}
	}
	msg.Headers["color"] = "red"
	return r.Channel.Publish(r.Name, "", false, false, msg)
}

// Rooms are the rooms of a house by name.
type Rooms map[string]*Room

// Knock tells those in a room that somebody is at the door.
func (rooms Rooms) Knock(name, nick string) error {
	if rooms[name] == nil {
		return fmt.Errorf("there is no room %s", name)
	}
	return rooms[name].Publish(name, "", false, false, amqp.Publishing{Type: "room.knock", Body: []byte(nick)})
}

// Everywhere says something in all rooms.
func (rooms Rooms) Everywhere(ctx context.Context, nick, text string) error {
	names := make([]string, 0, len(rooms))
	for name := range rooms {
		names = append(names, name)
	}
	sort.Strings(names)
	msg := message.Text(nick, text)
	msg.Type = "room.everywhere"
	for _, name := range names {
		if r := rooms[name]; r != nil {
			if err := r.PublishWithContext(ctx, name, "", false, false, msg); err != nil {
				return err
			}
		}
	}
	return nil
}
