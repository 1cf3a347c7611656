// Confirms publishes messages in the three ways of waiting for the broker's word:
// one by one, in batches, and as it comes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const count = 50

func check(err error, doing string) {
	if err != nil {
		log.Panicf("%s: %s", doing, err)
	}
}

func confirming(conn *amqp.Connection) (*amqp.Channel, string) {
	ch, err := conn.Channel()
	check(err, "opening a channel")
	check(ch.Confirm(false), "entering confirm mode")
	q, err := ch.QueueDeclare("confirms", false, true, false, false, nil)
	check(err, "declaring a queue")
	return ch, q.Name
}

func message(way string, i int) amqp.Publishing {
	return amqp.Publishing{MessageId: fmt.Sprintf("%s-%d", way, i), Body: []byte(fmt.Sprint(i))}
}

func oneByOne(conn *amqp.Connection) {
	ch, queue := confirming(conn)
	defer ch.Close()
	for i := 0; i < count; i++ {
		dc, err := ch.PublishWithDeferredConfirm("", queue, false, false, message("single", i))
		check(err, "publishing")
		if !dc.Wait() {
			log.Panicf("message %d refused", i)
		}
	}
	fmt.Println("one by one:", ch.GetNextPublishSeqNo()-1)
}

func inBatches(conn *amqp.Connection) {
	ch, queue := confirming(conn)
	defer ch.Close()
	const size = 20
	var batch []*amqp.DeferredConfirmation
	wait := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		for _, dc := range batch {
			acked, err := dc.WaitContext(ctx)
			check(err, "waiting")
			if !acked {
				log.Panicf("message %d refused", dc.DeliveryTag)
			}
		}
		batch = batch[:0]
	}
	for i := 0; i < count; i++ {
		dc, err := ch.PublishWithDeferredConfirmWithContext(context.Background(), "", queue, false, false, message("batch", i))
		check(err, "publishing")
		if batch = append(batch, dc); len(batch) == size {
			wait()
		}
	}
	wait()
	fmt.Println("in batches:", ch.GetNextPublishSeqNo()-1)
}

func asItComes(conn *amqp.Connection) {
	ch, queue := confirming(conn)
	defer ch.Close()
	confirms := ch.NotifyPublish(make(chan amqp.Confirmation, count))
	outstanding := make(map[uint64]string)
	for i := 0; i < count; i++ {
		msg := message("async", i)
		outstanding[ch.GetNextPublishSeqNo()] = msg.MessageId
		check(ch.Publish("", queue, false, false, msg), "publishing")
	}
	for c := range confirms {
		if !c.Ack {
			log.Panicf("message %s refused", outstanding[c.DeliveryTag])
		}
		if delete(outstanding, c.DeliveryTag); len(outstanding) == 0 {
			break
		}
	}
	fmt.Println("as it comes:", ch.GetNextPublishSeqNo()-1)
}

func main() {
	conn, err := amqp.Dial(os.Getenv("AMQP_URL"))
	check(err, "connecting")
	defer conn.Close()
	oneByOne(conn)
	inBatches(conn)
	asItComes(conn)
	ch, queue := confirming(conn)
	purged, err := ch.QueuePurge(queue, false)
	check(err, "purging")
	fmt.Println("purged:", purged)
}
