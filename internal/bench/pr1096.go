package main

//lint:file-ignore SA1019 the old way is what is measured

import (
	"context"
	"errors"
	"io"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// pr1096Cases are the rows by which rabbitmq-dotnet-client's PR 1096 showed what
// it changed, in Go: before is compat's API, properties behind an interface made
// for each message; after is newapi, properties as a value.
func pr1096Cases() []comparison {
	all := []comparison{
		framing("BasicPublishWriteNonEmpty", pr1096Name,
			func(p compat.BasicProperties) {
				p.SetAppId("Application id")
				p.SetMessageId("Random message id")
			},
			newapi.BasicProperties{AppId: "Application id", MessageId: "Random message id"},
			make([]byte, 512)),
		framing("BasicPublishWrite", pr1096Name,
			func(compat.BasicProperties) {}, newapi.BasicProperties{}, nil),
		// Names that are octets in memory already. In Go that is what a string is,
		// so there is no second way to publish.
		framing("BasicPublishMemoryWrite", string([]byte(pr1096Name)),
			func(compat.BasicProperties) {}, newapi.BasicProperties{}, nil),
		{
			name:  "Publish_Hello_World",
			units: []unit{timePerOp, allocsPerOp},
			peer:  greet(dialCompat, compatGreeting),
			ours:  greet(dialOurs, oursGreeting),
		},
	}
	for i := range all {
		all[i].name = "PR 1096/" + all[i].name
		all[i].against = "compat"
	}
	return all
}

// pr1096Name is the exchange and the routing key of these rows.
const pr1096Name = "Exchange_OR_RoutingKey"

// framing compares a whole publish call with the socket taken out.
func framing(name, routing string, set func(compat.BasicProperties), properties newapi.BasicProperties, body []byte) comparison {
	return comparison{
		name:  name,
		units: []unit{timePerOp, allocsPerOp},
		peer: call(openCompat, func(_ context.Context, ch *compat.Channel) error {
			p := ch.CreateBasicProperties()
			set(p)
			//amqpfix:ignore basicproperties the old way is what is measured
			return ch.BasicPublish(routing, routing, false, p, body)
		}),
		ours: call(openOurs, func(ctx context.Context, ch *newapi.Channel) error {
			return newapi.BasicPublish(ctx, ch, routing, routing, properties, body)
		}),
	}
}

var hello = []byte("hello world")

// greeting consumes queue and returns how to publish one message to it, and how to
// receive one.
type greeting[C channel] func(ch C, queue string) (publish, receive func() error, err error)

// greet returns a subject that publishes to a queue of RabbitMQ and, when all is
// published, waits until its consumer has received all.
func greet[C channel](dial dialer[C], consume greeting[C]) func(*lab) (subject, error) {
	return func(l *lab) (subject, error) {
		at, err := l.broker()
		if err != nil {
			return nil, err
		}
		to, err := dial(at)
		if err != nil {
			return nil, err
		}
		q, err := to.channel.QueueDeclare("", false, true, true, false, nil)
		if err != nil {
			return nil, errors.Join(err, to.conn.Close())
		}
		publish, receive, err := consume(to.channel, q.Name)
		if err != nil {
			return nil, errors.Join(err, to.conn.Close())
		}
		return &greeter{publish: publish, receive: receive, conn: to.conn}, nil
	}
}

type greeter struct {
	publish, receive func() error
	received         tally
	conn             io.Closer
}

// Run implements subject.
func (g *greeter) Run(n int) error {
	for i := 0; i < n; i++ {
		if err := g.publish(); err != nil {
			return err
		}
	}
	for i := 0; i < n; i++ {
		if err := g.receive(); err != nil {
			return err
		}
		g.received.messages++
	}
	return nil
}

// Delivered implements subject.
func (g *greeter) Delivered() (tally, error) { return g.received, nil }

// Close implements subject.
func (g *greeter) Close() error { return g.conn.Close() }

func compatGreeting(ch *compat.Channel, queue string) (publish, receive func() error, err error) {
	deliveries, err := ch.BasicConsume(queue, "", true, nil)
	return func() error {
		//amqpfix:ignore basicproperties the old way is what is measured
		return ch.BasicPublish("", queue, false, nil, hello)
	}, receiveFromChan(deliveries), err
}

func oursGreeting(ch *newapi.Channel, queue string) (publish, receive func() error, err error) {
	deliveries, err := ch.Consume(queue, "", true, false, false, false, nil)
	return func() error {
		return newapi.BasicPublish(context.Background(), ch, "", queue, newapi.BasicProperties{}, hello)
	}, receiveFromChan(deliveries), err
}

func receiveFromChan[Delivery any](deliveries <-chan Delivery) func() error {
	return func() error {
		if _, ok := <-deliveries; !ok {
			return errConsumerEnded
		}
		return nil
	}
}
