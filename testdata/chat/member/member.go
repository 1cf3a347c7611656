// Package member is somebody in a chat.
package member

import (
	"context"
	"fmt"
	"sync"

	rabbitmq "github.com/rabbitmq/amqp091-go"

	"example.com/chat/message"
)

// Member has a connection of their own.
type Member struct {
	*rabbitmq.Connection
	Nick string

	typing sync.WaitGroup
}

// Join connects a member, and declares the queue where whispers arrive.
func Join(url, nick string) (*Member, error) {
	conn, err := rabbitmq.Dial(url)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nick, err)
	}
	m := &Member{Connection: conn, Nick: nick}
	ch, err := m.Channel()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nick, err)
	}
	_, err = ch.QueueDeclare(m.Inbox(), false, true, true, false, nil)
	return m, err
}

// Inbox is the queue where whispers arrive.
func (m *Member) Inbox() string { return "chat.inbox." + m.Nick }

// Hello says hello in a room.
func (m *Member) Hello(ctx context.Context, room string) (err error) {
	ch, err := m.Channel()
	if err != nil {
		return err
	}
	defer func() {
		if e := ch.Close(); err == nil {
			err = e
		}
	}()
	err = ch.PublishWithContext(ctx, room, "", false, false, rabbitmq.Publishing{
		Headers: rabbitmq.Table{"nick": m.Nick},
		Type:    "member.hello",
		Body:    []byte("hello"),
	})
	return err
}

// Whisper says something to one member. It comes back if they have left.
func (m *Member) Whisper(ch *rabbitmq.Channel, to *Member, text string) error {
	gone := to == nil || to.IsClosed()
	queue := "chat.inbox.nobody"
	if to != nil {
		queue = to.Inbox()
	}
	return ch.Publish("", queue, !gone, false, rabbitmq.Publishing{
		Headers: message.Text(m.Nick, "").Headers,
		Type:    "member.whisper",
		Body:    []byte(text),
	})
}

// Typing tells a room that a member is about to say something. Wait waits for it.
func (m *Member) Typing(ch *rabbitmq.Channel, room string) {
	m.typing.Add(1)
	go func() {
		defer m.typing.Done()
		_ = ch.Publish(room, "", false, false, rabbitmq.Publishing{Type: "member.typing", AppId: m.Nick})
	}()
}

// Wait waits until all is sent that Typing sends.
func (m *Member) Wait() { m.typing.Wait() }

// Leave says goodbye and closes the connection.
func (m *Member) Leave(ch *rabbitmq.Channel, room string) error {
	goodbye := rabbitmq.Publishing{
		Headers:    rabbitmq.Table{"nick": m.Nick, "seen": []interface{}{int32(1), int32(2)}},
		Expiration: "60000",
		Type:       "member.leave",
		Body:       []byte("goodbye"),
	}
	if err := ch.Publish(room, "", false, false, goodbye); err != nil {
		return err
	}
	return m.Close()
}
