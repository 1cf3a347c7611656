package main

import (
	"fmt"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
)

// sinkWindow is how many futures a goroutine may have open with the sink. It is
// more than the buffers in between hold, so that it is seldom reached.
const sinkWindow = 4096

// how are the ways to publish that both sides are compared in. What newapi does
// with Config.Buffered or a deferred publish, the peer has one way for.
var how = []struct {
	name string
	peer func(body []byte) way[*amqp.Channel]
	ours func(body []byte) way[*newapi.Channel]
}{
	{"plain", peerPlain, oursPlain},
	{"buffered", peerPlain, oursBuffered},
	{"deferred", peerDeferred, oursDeferred},
}

// sinkCases compare publishing over a socket, up to where every frame has been
// taken apart at the other end.
func sinkCases() []comparison {
	var all []comparison
	for _, size := range []int{32, 1 << 10} {
		for _, goroutines := range []int{1, 64} {
			for _, h := range how {
				all = append(all, toSink("sink", size, h.name, goroutines, h.peer, h.ours, sinkEndpoint, messageRate, allocsPerOp))
			}
		}
	}
	plain := how[0]
	for _, size := range []int{64 << 10, 1 << 20} {
		all = append(all, toSink("sink", size, plain.name, 1, plain.peer, plain.ours, sinkEndpoint, withCPU(messageRate)...))
	}
	return all
}

// compatCases compare call sites of amqp091-go that changed nothing but the import
// path.
func compatCases() []comparison {
	var all []comparison
	for _, goroutines := range []int{1, 64} {
		c := toSink("compat/amqp091", 32, "PublishWithContext", goroutines, peerPlain, compatPlain, sinkEndpoint, messageRate, allocsPerOp)
		c.ourName = "compat/amqp091"
		all = append(all, c)
	}
	return all
}

// tlsCases compare what TLS leaves of the difference.
func tlsCases() []comparison {
	plain, buffered := how[0], how[1]
	return []comparison{
		toSink("TLS", 32, plain.name, 1, plain.peer, plain.ours, sinkTLSEndpoint, messageRate),
		toSink("TLS", 32, buffered.name, 1, buffered.peer, buffered.ours, sinkTLSEndpoint, messageRate),
		toSink("TLS", 32, buffered.name, 64, buffered.peer, buffered.ours, sinkTLSEndpoint, messageRate),
		toSink("TLS", 64<<10, plain.name, 1, plain.peer, plain.ours, sinkTLSEndpoint, messageRate),
	}
}

// saturationCases let 64 goroutines publish as fast as they can for the same time,
// and look at what single calls and single goroutines get.
func saturationCases() []comparison {
	var all []comparison
	for _, h := range how {
		c := toSink("saturation", 32, h.name, 64, h.peer, h.ours, sinkEndpoint, longestCall, slowCalls, worstServed)
		c.timed = true
		c.longer = 25 // so that each goroutine has its turn several times
		all = append(all, c)
	}
	return all
}

// toSink compares two ways to publish bodies of size octets to the sink.
func toSink[P, O channel](group string, size int, how string, goroutines int,
	peer func([]byte) way[P], ours func([]byte) way[O], where func(*lab) (endpoint, error), units ...unit) comparison {
	body := make([]byte, size)
	return comparison{
		name:  fmt.Sprintf("%s/%s/%s/%s", group, sizeName(size), how, goroutineCount(goroutines)),
		units: units,
		peer:  publishFrom(goroutines, peer(body), where, atSink[P]),
		ours:  publishFrom(goroutines, ours(body), where, atSink[O]),
	}
}

func sizeName(octets int) string {
	switch {
	case octets >= 1<<20 && octets%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", octets>>20)
	case octets >= 1<<10 && octets%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", octets>>10)
	}
	return fmt.Sprintf("%d B", octets)
}

func goroutineCount(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return fmt.Sprintf("%d goroutines", n)
}

func peerPlain(body []byte) way[*amqp.Channel] {
	return plainWay(dialPeer, peerSend(exchange, routingKey, body))
}

func peerDeferred(body []byte) way[*amqp.Channel] {
	return deferredWay(dialPeer, sinkWindow, peerSendDeferred(exchange, routingKey, body))
}

func oursPlain(body []byte) way[*newapi.Channel] {
	return plainWay(dialOurs, oursSend(exchange, routingKey, body))
}

func oursBuffered(body []byte) way[*newapi.Channel] {
	return plainWay(dialBuffered, oursSend(exchange, routingKey, body))
}

func oursDeferred(body []byte) way[*newapi.Channel] {
	return deferredWay(dialOurs, sinkWindow, oursSendDeferred(exchange, routingKey, body))
}

func compatPlain(body []byte) way[*amqp091.Channel] {
	return plainWay(dialCompat091, compatSend(exchange, routingKey, body))
}
