// Producer publishes to an exchange with at most a few confirmations outstanding,
// and reports what the broker returns.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"
)

var (
	exchange = flag.String("exchange", "test-exchange", "durable exchange")
	kind     = flag.String("exchange-type", "direct", "its type")
	queue    = flag.String("queue", "test-queue", "durable queue")
	key      = flag.String("key", "test-key", "routing key")
	body     = flag.String("body", "foobar", "body of the messages")
	count    = flag.Int("count", 20, "messages")
)

const outstanding = 8

func main() {
	flag.Parse()
	config := amqp.Config{Vhost: "/", Properties: amqp.NewConnectionProperties()}
	config.Properties.SetClientConnectionName("sample-producer")
	conn, err := amqp.DialConfig(os.Getenv("AMQP_URL"), config)
	if err != nil {
		log.Fatalf("dial: %v", err)
	}
	defer conn.Close()
	ch, err := conn.Channel()
	if err != nil {
		log.Fatalf("channel: %v", err)
	}
	defer ch.Close()
	if err := declare(ch); err != nil {
		log.Fatal(err)
	}
	if err := ch.Confirm(false); err != nil {
		log.Fatalf("confirm: %v", err)
	}

	// A confirmation frees a place for another message.
	places := make(chan struct{}, outstanding)
	confirms := make(chan *amqp.DeferredConfirmation, outstanding)
	done := make(chan int)
	go func() {
		acked := 0
		for dc := range confirms {
			if dc.Wait() {
				acked++
			}
			<-places
		}
		done <- acked
	}()
	returns := ch.NotifyReturn(make(chan amqp.Return, *count))
	for i := 0; i < *count; i++ {
		places <- struct{}{}
		to := *key
		if i%5 == 4 {
			to = "nowhere"
		}
		dc, err := ch.PublishWithDeferredConfirmWithContext(context.Background(), *exchange, to, true, false, amqp.Publishing{
			Headers:         amqp.Table{},
			ContentType:     "text/plain",
			ContentEncoding: "",
			DeliveryMode:    amqp.Persistent,
			Priority:        0,
			AppId:           "sequential-producer",
			MessageId:       fmt.Sprint(i),
			Body:            []byte(*body),
		})
		if err != nil {
			log.Fatalf("publish: %v", err)
		}
		confirms <- dc
	}
	close(confirms)
	fmt.Println("acked:", <-done)
	for len(returns) > 0 {
		r := <-returns
		fmt.Println("returned:", r.MessageId, r.ReplyCode, r.ReplyText, r.RoutingKey)
	}
}

func declare(ch *amqp.Channel) error {
	if err := ch.ExchangeDeclare(*exchange, *kind, true, false, false, false, nil); err != nil {
		return fmt.Errorf("declaring the exchange: %w", err)
	}
	q, err := ch.QueueDeclare(*queue, true, false, false, false, nil)
	if err != nil {
		return fmt.Errorf("declaring the queue: %w", err)
	}
	if err := ch.QueueBind(q.Name, *key, *exchange, false, nil); err != nil {
		return fmt.Errorf("binding: %w", err)
	}
	return nil
}
