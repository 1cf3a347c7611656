// Chat holds a short conversation over the broker that AMQP_URL names, in which
// everything is said that can be said, and exits 0 if it was heard.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"example.com/chat/bot"
	"example.com/chat/bridge"
	"example.com/chat/history"
	"example.com/chat/member"
	"example.com/chat/presence"
	"example.com/chat/room"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("chat: ")
	url := os.Getenv("AMQP_URL")
	if url == "" {
		log.Fatal("AMQP_URL is not set; set it to the broker's, such as amqp://guest:guest@localhost:5672/")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := talk(ctx, url); err != nil {
		log.Fatal(err)
	}
	heard, err := bridge.Cross(ctx, url, "ada", "one", "two")
	if err != nil {
		log.Fatal(err)
	}
	if got := strings.Join(heard, ", "); got != "ada, hello over there, one, two, over" {
		log.Fatalf("heard %s", got)
	}
}

func talk(ctx context.Context, url string) error {
	ada, err := member.Join(url, "ada")
	if err != nil {
		return err
	}
	bob, err := member.Join(url, "bob")
	if err != nil {
		return err
	}
	defer bob.Close()
	ch, err := ada.Channel()
	if err != nil {
		return err
	}
	rooms := make(room.Rooms)
	for _, name := range []string{"attic", "cellar"} {
		r, err := room.Enter(ch, "chat."+name)
		if err != nil {
			return err
		}
		if _, err := r.Seat("ada"); err != nil {
			return err
		}
		rooms[r.Name] = r
	}
	for _, part := range []func(context.Context, *amqp.Channel, room.Rooms) error{
		speak, present, remember, ask,
	} {
		if err := part(ctx, ch, rooms); err != nil {
			return err
		}
	}
	return members(ctx, ada, bob)
}

func speak(ctx context.Context, _ *amqp.Channel, rooms room.Rooms) error {
	attic := rooms["chat.attic"]
	if err := attic.Say(ctx, "ada", "It is warm up here."); err != nil {
		return err
	}
	if err := attic.Shout(amqp.Publishing{Type: "room.shout", Body: []byte("HOT!")}); err != nil {
		return err
	}
	if err := rooms.Knock("chat.cellar", "ada"); err != nil {
		return err
	}
	return rooms.Everywhere(ctx, "ada", "Is anybody there?")
}

func present(ctx context.Context, ch *amqp.Channel, _ room.Rooms) error {
	p := presence.New(ch, "chat.attic")
	for _, nick := range []string{"ada", "bob"} {
		if err := p.Beat(nick); err != nil {
			return err
		}
	}
	if err := p.Away(ctx, "bob", time.Unix(1600000060, 0)); err != nil {
		return err
	}
	if err := p.List(ctx, "eve"); err != nil {
		return err
	}
	return presence.Tell(ctx, ch, "chat.attic", "ada")
}

func remember(ctx context.Context, ch *amqp.Channel, _ room.Rooms) error {
	h := history.New(ch)
	for i := 0; i < 2; i++ {
		d, ok, err := ch.Get("chat.attic.ada", true)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%d messages in the attic, want 2", i)
		}
		h.Add(d)
	}
	if err := h.Replay(ctx, "chat.cellar.ada"); err != nil {
		return err
	}
	return h.Frame(ctx, "chat.cellar.ada")
}

func ask(ctx context.Context, ch *amqp.Channel, _ room.Rooms) error {
	if err := ch.Confirm(false); err != nil {
		return err
	}
	b := bot.New(ch, "chat.attic")
	for i, question := range []string{"/help", "/joke", "/echo what you want", "/fly", "no question"} {
		if err := b.Do(ctx, amqp.Delivery{
			Headers:       amqp.Table{"nick": "ada"},
			CorrelationId: fmt.Sprint(i),
			ReplyTo:       "chat.inbox.ada",
			Body:          []byte(question),
		}); err != nil {
			return err
		}
	}
	return b.Poll(ctx, "Tea?", "Coffee?")
}

func members(ctx context.Context, ada, bob *member.Member) error {
	ch, err := ada.Channel()
	if err != nil {
		return err
	}
	if err := ada.Hello(ctx, "chat.attic"); err != nil {
		return err
	}
	if err := ada.Whisper(ch, bob, "Are you there?"); err != nil {
		return err
	}
	if err := ada.Whisper(ch, nil, "Or you?"); err != nil {
		return err
	}
	ada.Typing(ch, "chat.attic")
	ada.Wait()
	return ada.Leave(ch, "chat.cellar")
}
