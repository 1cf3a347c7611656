// Package bridge links the chat to another one.
package bridge

import (
	"context"
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/chat/message"
	"example.com/chat/transport"
)

// Cross sends texts over a link of its own and reads them on the other side.
func Cross(ctx context.Context, url, nick string, texts ...string) (heard []string, err error) {
	conn, err := transport.Dial(url)
	if err != nil {
		return nil, fmt.Errorf("bridge: %w", err)
	}
	defer conn.Close()
	link, err := transport.NewLink(conn, "chat.bridge")
	if err != nil {
		return nil, fmt.Errorf("bridge: %w", err)
	}
	if err := send(ctx, link, nick, texts); err != nil {
		return nil, err
	}
	return listen(ctx, conn, link.Queue(), len(texts)+3)
}

func send(ctx context.Context, link *transport.Link, nick string, texts []string) error {
	if err := link.Channel().PublishWithContext(ctx, "", link.Queue(), false, false, amqp.Publishing{
		Type: "bridge.open",
		Body: []byte(nick),
	}); err != nil {
		return err
	}
	if err := link.Text(ctx, nick, "hello over there"); err != nil {
		return err
	}
	for _, text := range texts {
		msg := message.Text(nick, text)
		msg.Type = "transport.flush"
		link.Later(msg)
	}
	if err := link.Flush(ctx); err != nil {
		return err
	}
	last := message.Text(nick, "over")
	last.Type = "transport.forward"
	return link.Forward(ctx, last)
}

func listen(ctx context.Context, conn *amqp.Connection, queue string, n int) (heard []string, err error) {
	ch, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	deliveries, err := ch.Consume(queue, "", true, true, false, false, nil)
	if err != nil {
		return nil, err
	}
	for ; n > 0; n-- {
		select {
		case d := <-deliveries:
			heard = append(heard, string(d.Body))
		case <-ctx.Done():
			return heard, ctx.Err()
		}
	}
	receipt := &amqp.Publishing{Type: "bridge.receipt", Body: []byte(fmt.Sprint(len(heard)))}
	return heard, ch.PublishWithContext(ctx, "", queue, false, false, *receipt)
}
