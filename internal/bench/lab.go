package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi"
)

// lab holds what both sides talk to. Each part is started by the first who asks
// for it and serves all cases.
type lab struct {
	sinkProcess *sinkProcess
	node        *brokertest.Node
	brokerName  string // product and version, once a broker was asked for
}

// sink returns the sink.
func (l *lab) sink() (*sinkProcess, error) {
	if l.sinkProcess == nil {
		var err error
		if l.sinkProcess, err = startSink(); err != nil {
			return nil, err
		}
	}
	return l.sinkProcess, nil
}

// broker returns a RabbitMQ: the one that AMQP_URL names, or a private node. Where
// RabbitMQ is not installed the error is brokertest.ErrNotInstalled.
func (l *lab) broker() (endpoint, error) {
	address := os.Getenv("AMQP_URL")
	if address == "" {
		if l.node == nil {
			ctx, cancel := context.WithTimeout(context.Background(), brokertest.StartTimeout)
			defer cancel()
			node, err := brokertest.Launch(ctx, brokertest.Options{})
			if err != nil {
				return endpoint{}, err
			}
			l.node = node
		}
		address = l.node.URL()
	}
	u, err := url.Parse(address)
	if err != nil {
		return endpoint{}, err
	}
	query := u.Query()
	query.Set("heartbeat", "0") // whose octets would be counted
	u.RawQuery = query.Encode()
	e := endpoint{url: u.String()}
	if l.brokerName == "" {
		conn, err := newapi.Dial(e.url)
		if err != nil {
			return endpoint{}, err
		}
		l.brokerName = fmt.Sprint(conn.Properties["product"], " ", conn.Properties["version"])
		if err := conn.Close(); err != nil {
			return endpoint{}, err
		}
	}
	return e, nil
}

// Close ends what was started.
func (l *lab) Close() error {
	var errs []error
	if l.sinkProcess != nil {
		errs = append(errs, l.sinkProcess.Close())
	}
	if l.node != nil {
		errs = append(errs, l.node.Close())
	}
	return errors.Join(errs...)
}

// endpoint is an address to connect to.
type endpoint struct {
	url  string
	tls  *tls.Config
	dial func(network, addr string) (net.Conn, error) // nil: as usual
}

// dialer is how a side connects and opens a channel.
type dialer[Channel any] func(endpoint) (link[Channel], error)

// link is a connection with its one channel.
type link[Channel any] struct {
	conn    interface{ Close() error }
	channel Channel
}

// open opens the channel of a connection that has just been dialled.
func open[Conn interface {
	Channel() (Channel, error)
	Close() error
}, Channel any](conn Conn, err error) (link[Channel], error) {
	if err != nil {
		return link[Channel]{}, err
	}
	ch, err := conn.Channel()
	if err != nil {
		return link[Channel]{}, errors.Join(err, conn.Close())
	}
	return link[Channel]{conn, ch}, nil
}

func dialPeer(e endpoint) (link[*amqp.Channel], error) {
	return open[*amqp.Connection, *amqp.Channel](amqp.DialConfig(e.url, amqp.Config{TLSClientConfig: e.tls, Dial: e.dial}))
}

func dialOurs(e endpoint) (link[*newapi.Channel], error) {
	return open[*newapi.Connection, *newapi.Channel](newapi.DialConfig(e.url, newapi.Config{TLSClientConfig: e.tls, Dial: e.dial}))
}

func dialBuffered(e endpoint) (link[*newapi.Channel], error) {
	return open[*newapi.Connection, *newapi.Channel](newapi.DialConfig(e.url, newapi.Config{TLSClientConfig: e.tls, Dial: e.dial, Buffered: true}))
}

func dialCompat(e endpoint) (link[*compat.Channel], error) {
	return open[*compat.Connection, *compat.Channel](compat.Dial(e.url))
}

func dialCompat091(e endpoint) (link[*amqp091.Channel], error) {
	return open[*amqp091.Connection, *amqp091.Channel](amqp091.DialConfig(e.url, amqp091.Config{TLSClientConfig: e.tls, Dial: e.dial}))
}
