package compat

import (
	"crypto/tls"

	"github.com/amqpfix/amqpfix/newapi"
)

// Connection is a newapi connection whose channels have the old methods too.
// Everything else is promoted from newapi. It is safe for concurrent use.
type Connection struct {
	*newapi.Connection
}

// Dial connects as [newapi.Dial] does, and returns its errors.
func Dial(url string) (*Connection, error) {
	return wrap(newapi.Dial(url))
}

// DialConfig connects as [newapi.DialConfig] does, and returns its errors.
func DialConfig(url string, config newapi.Config) (*Connection, error) {
	return wrap(newapi.DialConfig(url, config))
}

// DialTLS connects as [newapi.DialTLS] does, and returns its errors.
func DialTLS(url string, config *tls.Config) (*Connection, error) {
	return wrap(newapi.DialTLS(url, config))
}

func wrap(conn *newapi.Connection, err error) (*Connection, error) {
	if err != nil {
		return nil, err
	}
	return Wrap(conn), nil
}

// Wrap gives a connection that newer code has opened to code that still uses
// the old methods. Both are the same connection: closing either closes it.
func Wrap(conn *newapi.Connection) *Connection {
	return &Connection{conn}
}

// Channel opens a channel, as newapi's Channel method does, with the old
// methods.
func (c *Connection) Channel() (*Channel, error) {
	ch, err := c.Connection.Channel()
	if err != nil {
		return nil, err
	}
	return &Channel{Channel: ch}, nil
}

// CreateModel opens a channel.
//
// Deprecated: use [Connection.Channel], which is the same.
//
//go:fix inline
func (c *Connection) CreateModel() (*Channel, error) {
	return c.Channel()
}
