package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/amqpfix/amqpfix/newapi"
)

// bareCases compare plain publishes of one goroutine with nothing but their writes
// to the socket: what is left of the difference is all that a faster client could
// win.
func bareCases() []comparison {
	var all []comparison
	for _, size := range []int{32, 1 << 20} {
		c := toSink("bare writes", size, "plain", 1, bareWrites, oursPlain, sinkEndpoint, messageRate)
		c.against = "bare writes"
		all = append(all, c)
	}
	return all
}

// bareWrites publishes one message and then writes its octets again and again.
func bareWrites(body []byte) way[*newapi.Channel] {
	var socket recorder
	dial := func(e endpoint) (link[*newapi.Channel], error) {
		e.dial = socket.dial
		return dialOurs(e)
	}
	return way[*newapi.Channel]{dial, func(ch *newapi.Channel) (func() worker, error) {
		publish := oursSend(exchange, routingKey, body)
		message, err := socket.record(func() error { return publish(context.Background(), ch) })
		if err != nil {
			return nil, err
		}
		w := worker{publish: func(context.Context) error {
			_, err := socket.conn.Write(message)
			return err
		}}
		return func() worker { return w }, nil
	}}
}

// recorder dials connections, and records what is written to them when asked to.
type recorder struct {
	conn      net.Conn // the last one
	recording atomic.Bool
	recorded  bytes.Buffer
}

func (r *recorder) dial(network, addr string) (net.Conn, error) {
	conn, err := net.Dial(network, addr)
	r.conn = conn
	return &recordedConn{conn, r}, err
}

// record returns what publish writes. Nothing else may be written meanwhile.
func (r *recorder) record(publish func() error) ([]byte, error) {
	r.recording.Store(true)
	err := publish()
	r.recording.Store(false)
	if err == nil && r.recorded.Len() == 0 {
		err = errors.New("nothing was written")
	}
	return r.recorded.Bytes(), err
}

type recordedConn struct {
	net.Conn
	recorder *recorder
}

func (c *recordedConn) Write(p []byte) (int, error) {
	if c.recorder.recording.Load() {
		c.recorder.recorded.Write(p)
	}
	return c.Conn.Write(p)
}
