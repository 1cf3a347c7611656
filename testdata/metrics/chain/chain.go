// Package chain changes messages on their way out.
package chain

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/streadway/amqp"
)

// Middleware makes a message of a message. It may change the one it gets.
type Middleware func(amqp.Publishing) amqp.Publishing

// Chain is middleware in the order in which it is applied.
type Chain []Middleware

func (c Chain) apply(msg amqp.Publishing) amqp.Publishing {
	for _, m := range c {
		msg = m(msg)
	}
	return msg
}

// Header returns middleware that sets a header.
func Header(name string, value interface{}) Middleware {
	return func(msg amqp.Publishing) amqp.Publishing {
		if msg.Headers == nil {
			msg.Headers = make(amqp.Table)
		}
		msg.Headers[name] = value
		return msg
	}
}

// Number returns middleware that numbers messages from 1.
func Number() Middleware {
	n := 0
	return func(msg amqp.Publishing) amqp.Publishing {
		n++
		msg.MessageId = fmt.Sprint(n)
		return msg
	}
}

// compress is middleware, too.
func compress(msg amqp.Publishing) amqp.Publishing {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(msg.Body) // a Buffer does not fail
	_ = w.Close()
	msg.ContentEncoding = "gzip"
	msg.Body = b.Bytes()
	return msg
}

// Sender sends a message somewhere.
type Sender func(key string, msg amqp.Publishing) error

// To returns the sender that publishes on ch.
func To(ch *amqp.Channel, exchange string) Sender {
	return func(key string, msg amqp.Publishing) error {
		return ch.Publish(exchange, key, false, false, msg)
	}
}

// Publisher publishes through a chain.
type Publisher struct {
	Channel  *amqp.Channel
	Exchange string
	Chain    Chain
}

// Send publishes what the chain makes of msg.
func (p *Publisher) Send(key string, msg amqp.Publishing) error {
	return p.Channel.Publish(p.Exchange, key, false, false, p.Chain.apply(msg))
}

// Trace is Send with a copy to trace after every link of the chain.
func (p *Publisher) Trace(key, trace string, msg amqp.Publishing) error {
	for i, m := range p.Chain {
		msg = m(msg)
		msg.AppId = fmt.Sprintf("link-%d", i)
		if err := p.Channel.Publish(p.Exchange, trace, false, false, msg); err != nil {
			return fmt.Errorf("chain: trace of link %d: %w", i, err)
		}
	}
	return nil
}

// Dump publishes a report, compressed.
func (p *Publisher) Dump(key string, report []byte) error {
	return p.Channel.Publish(p.Exchange, key, false, false, compress(amqp.Publishing{
		ContentType: "text/plain",
		Type:        "chain.dump",
		Body:        report,
	}))
}
