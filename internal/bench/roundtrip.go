package main

import (
	"context"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// roundTripCases compare an idle connection: one message under way at a time.
func roundTripCases() []comparison {
	body := make([]byte, 32)
	roundTrip := func(name string, peer way[*amqp.Channel], ours way[*newapi.Channel]) comparison {
		return comparison{
			name:  "round trip/" + name,
			units: []unit{timePerOp},
			peer:  publishFrom(1, peer, sinkEndpoint, atSink[*amqp.Channel]),
			ours:  publishFrom(1, ours, sinkEndpoint, atSink[*newapi.Channel]),
		}
	}
	return []comparison{
		roundTrip("publish and confirm",
			deferredWay(dialPeer, 1, awaiting(peerSendDeferred(exchange, routingKey, body))),
			deferredWay(dialOurs, 1, awaiting(oursSendDeferred(exchange, routingKey, body)))),
		roundTrip("request and reply",
			replyWay(dialPeer,
				func(ch *amqp.Channel) (<-chan amqp.Delivery, error) {
					return ch.Consume("replies", "", true, false, false, false, nil)
				},
				peerSend(echoExchange, routingKey, body)),
			replyWay(dialOurs,
				func(ch *newapi.Channel) (<-chan newapi.Delivery, error) {
					return ch.Consume("replies", "", true, false, false, false, nil)
				},
				oursSend(echoExchange, routingKey, body))),
	}
}

// replyWay publishes a request and receives the reply to it.
func replyWay[C channel, Delivery any](dial dialer[C], consume func(C) (<-chan Delivery, error), request func(context.Context, C) error) way[C] {
	return way[C]{dial, func(ch C) (func() worker, error) {
		replies, err := consume(ch)
		if err != nil {
			return nil, err
		}
		w := worker{publish: func(ctx context.Context) error {
			if err := request(ctx, ch); err != nil {
				return err
			}
			if _, ok := <-replies; !ok {
				return errConsumerEnded
			}
			return nil
		}}
		return func() worker { return w }, nil
	}}
}
