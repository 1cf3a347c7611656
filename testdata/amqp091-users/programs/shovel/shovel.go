// Shovel publishes the lines of its standard input on one session and prints what
// another one receives of them. Each dials again when it breaks.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"sync"

	amqp "github.com/rabbitmq/amqp091-go"
)

const exchange = "shovel"

type message []byte

// session is a connection with its channel.
type session struct {
	*amqp.Connection
	*amqp.Channel
}

// Close tears the connection down, and the channel with it.
func (s session) Close() error {
	if s.Connection == nil {
		return nil
	}
	return s.Connection.Close()
}

// redial hands out sessions until ctx ends.
func redial(ctx context.Context, url string) chan chan session {
	sessions := make(chan chan session)
	go func() {
		defer close(sessions)
		sess := make(chan session)
		for {
			select {
			case sessions <- sess:
			case <-ctx.Done():
				return
			}
			conn, err := amqp.Dial(url)
			if err != nil {
				log.Fatalf("dialling: %v", err)
			}
			ch, err := conn.Channel()
			if err != nil {
				log.Fatalf("opening a channel: %v", err)
			}
			if err := ch.ExchangeDeclare(exchange, amqp.ExchangeFanout, false, true, false, false, nil); err != nil {
				log.Fatalf("declaring %s: %v", exchange, err)
			}
			select {
			case sess <- session{conn, ch}:
			case <-ctx.Done():
				conn.Close()
				return
			}
		}
	}()
	return sessions
}

// publish keeps a message until it is confirmed.
func publish(sessions chan chan session, messages <-chan message) {
	for sess := range sessions {
		pub := <-sess
		confirm := pub.NotifyPublish(make(chan amqp.Confirmation, 1))
		if err := pub.Confirm(false); err != nil {
			log.Fatalf("confirm mode: %v", err)
		}
		for body := range messages {
			if err := pub.Publish(exchange, "ignored", false, false, amqp.Publishing{Body: body}); err != nil {
				log.Fatalf("publishing: %v", err)
			}
			if c, ok := <-confirm; !ok || !c.Ack {
				log.Fatalf("not confirmed: %v", c)
			}
		}
		pub.Close()
		return
	}
}

// subscribe passes on what an exclusive queue receives.
func subscribe(sessions chan chan session, messages chan<- message, ready func()) {
	for sess := range sessions {
		sub := <-sess
		q, err := sub.QueueDeclare("", false, true, true, false, nil)
		if err != nil {
			log.Fatalf("declaring a queue: %v", err)
		}
		if err := sub.QueueBind(q.Name, "any", exchange, false, nil); err != nil {
			log.Fatalf("binding: %v", err)
		}
		deliveries, err := sub.Consume(q.Name, "", false, true, false, false, nil)
		if err != nil {
			log.Fatalf("consuming: %v", err)
		}
		ready()
		for d := range deliveries {
			messages <- d.Body
			if err := sub.Ack(d.DeliveryTag, false); err != nil {
				log.Fatalf("acknowledging: %v", err)
			}
			if string(d.Body) == "quit" {
				sub.Close()
				return
			}
		}
	}
}

func main() {
	ctx, done := context.WithCancel(context.Background())
	defer done()
	url := os.Getenv("AMQP_URL")
	in, out := make(chan message), make(chan message)
	var subscribed sync.WaitGroup
	subscribed.Add(1)
	go func() {
		defer close(out)
		subscribe(redial(ctx, url), out, subscribed.Done)
	}()
	go func() {
		defer close(in)
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			in <- message(lines.Text())
		}
	}()
	subscribed.Wait()
	go publish(redial(ctx, url), in)
	for m := range out {
		fmt.Printf("%s\n", m)
	}
}
