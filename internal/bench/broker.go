package main

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
)

// brokerCases compare publishing to RabbitMQ. There the broker sets the pace; what
// differs is what a message costs the client.
func brokerCases() []comparison {
	plain := func(dial dialer[*newapi.Channel]) (fanout, queue comparison) {
		return comparison{
				peer: toFanout(plainWay(dialPeer, peerSend(fanoutExchange, "", brokerBody))),
				ours: toFanout(plainWay(dial, oursSend(fanoutExchange, "", brokerBody))),
			}, comparison{
				peer: toQueue(peerQueue, plainWay(dialPeer, peerSend("", peerQueue, brokerBody))),
				ours: toQueue(oursQueue, plainWay(dial, oursSend("", oursQueue, brokerBody))),
			}
	}
	plainFanout, plainQueue := plain(dialOurs)
	bufferedFanout, bufferedQueue := plain(dialBuffered)
	confirms := comparison{
		peer: toQueue(peerQueue, deferredWay(dialPeer, brokerWindow, peerSendDeferred("", peerQueue, brokerBody))),
		ours: toQueue(oursQueue, deferredWay(dialOurs, brokerWindow, oursSendDeferred("", oursQueue, brokerBody))),
	}
	oneByOne := comparison{
		peer: toQueue(peerQueue, deferredWay(dialPeer, 1, awaiting(peerSendDeferred("", peerQueue, brokerBody)))),
		ours: toQueue(oursQueue, deferredWay(dialOurs, 1, awaiting(oursSendDeferred("", oursQueue, brokerBody)))),
	}
	var all []comparison
	for _, named := range []struct {
		name string
		comparison
	}{
		{"fanout without bindings/plain", plainFanout},
		{"fanout without bindings/buffered", bufferedFanout},
		{"queue/plain", plainQueue},
		{"queue/buffered", bufferedQueue},
		{fmt.Sprintf("queue/confirms with a window of %d", brokerWindow), confirms},
		{"queue/one confirm at a time", oneByOne},
	} {
		c := named.comparison
		c.name = "broker/" + named.name
		c.units = withCPU(messageRate)
		c.longer = 5 // the broker's flow control works in larger steps
		all = append(all, c)
	}
	return all
}

// brokerWindow is how many messages may be unconfirmed at the broker.
const brokerWindow = 1000

var brokerBody = make([]byte, 32)

// fanoutExchange is an exchange that every broker has, and that routes nowhere as
// long as nobody binds to it.
const fanoutExchange = "amq.fanout"

// The queues' names are equally long, so that a message has as many octets
// whichever side it is from.
var (
	peerQueue = fmt.Sprintf("amqpfix-bench-peer-%d", os.Getpid())
	oursQueue = fmt.Sprintf("amqpfix-bench-ours-%d", os.Getpid())
)

func brokerEndpoint(l *lab) (endpoint, error) { return l.broker() }

// toFanout returns a subject that publishes to fanoutExchange. Nobody there counts
// what arrives, so the octets written are counted here.
func toFanout[C channel](w way[C]) func(*lab) (subject, error) {
	written := new(writeCounter)
	where := func(l *lab) (endpoint, error) {
		e, err := l.broker()
		e.dial = written.dial
		return e, err
	}
	return publishFrom(1, w, where, func(ch C) (tally, error) {
		// The broker answers when it has dealt with all that came before.
		err := ch.ExchangeDeclarePassive(fanoutExchange, amqp.ExchangeFanout, true, false, false, false, nil)
		return tally{octets: written.octets.Load()}, err
	})
}

// toQueue returns a subject that publishes to a queue of its own, and empties it
// when it counts what has arrived.
func toQueue[C channel](name string, w way[C]) func(*lab) (subject, error) {
	withQueue := way[C]{w.dial, func(ch C) (func() worker, error) {
		if _, err := ch.QueueDeclare(name, false, true, true, false, nil); err != nil {
			return nil, err
		}
		return w.prepare(ch)
	}}
	var arrived tally
	return publishFrom(1, withQueue, brokerEndpoint, func(ch C) (tally, error) {
		n, err := ch.QueuePurge(name, false)
		arrived.messages += uint64(n)
		return arrived, err
	})
}

// writeCounter counts the octets written to the connections that it dials.
type writeCounter struct{ octets atomic.Uint64 }

func (c *writeCounter) dial(network, addr string) (net.Conn, error) {
	conn, err := amqp.DefaultDial(30*time.Second)(network, addr)
	if err != nil {
		return nil, err
	}
	return countedConn{conn, c}, nil
}

type countedConn struct {
	net.Conn
	counter *writeCounter
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.counter.octets.Add(uint64(n))
	return n, err
}
