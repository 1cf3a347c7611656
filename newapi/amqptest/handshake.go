package amqptest

import (
	"strings"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// What the server offers in connection.tune, as RabbitMQ does.
const (
	serverChannelMax = 2047
	serverFrameMax   = 131072
	serverHeartbeat  = 60 // seconds
)

// greet sends connection.start.
func (c *conn) greet() {
	c.send(0, &wire.ConnectionStart{
		VersionMajor: 0,
		VersionMinor: 9,
		ServerProperties: newapi.Table{
			"capabilities": newapi.Table{
				"publisher_confirms":           true,
				"exchange_exchange_bindings":   true,
				"basic.nack":                   true,
				"consumer_cancel_notify":       true,
				"connection.blocked":           true,
				"consumer_priorities":          true,
				"authentication_failure_close": true,
				"per_consumer_qos":             true,
				"direct_reply_to":              true,
			},
			"product":     "amqptest",
			"platform":    "Go",
			"information": "a broker for tests; it keeps nothing",
		},
		Mechanisms: "PLAIN AMQPLAIN",
		Locales:    "en_US",
	})
}

func (c *conn) startOk(m *wire.ConnectionStartOk) error {
	var user, password string
	ok := false
	switch m.Mechanism {
	case "PLAIN":
		user, password, ok = plainCredentials(m.Response)
	case "AMQPLAIN":
		user, password, ok = amqplainCredentials(m.Response)
	default:
		return connectionError(amqp091.CommandInvalid, "unknown authentication mechanism '%s'; use PLAIN or AMQPLAIN", m.Mechanism)
	}
	if !ok || !c.server.faults.admits(user, password) {
		return connectionError(amqp091.AccessRefused, "Login was refused using authentication mechanism %s.", m.Mechanism)
	}
	c.user = user
	c.properties = m.ClientProperties
	if capabilities, ok := m.ClientProperties["capabilities"].(newapi.Table); ok {
		c.cancelNotify, _ = capabilities["consumer_cancel_notify"].(bool)
		c.blockNotify, _ = capabilities["connection.blocked"].(bool)
	}
	c.phase = tuning
	c.send(0, &wire.ConnectionTune{ChannelMax: serverChannelMax, FrameMax: serverFrameMax, Heartbeat: serverHeartbeat})
	return nil
}

// plainCredentials reads a response of SASL PLAIN, RFC 4616: authorization
// identity, user and password, each but the last ended by a zero octet.
func plainCredentials(response string) (user, password string, ok bool) {
	parts := strings.Split(response, "\x00")
	if len(parts) != 3 {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// amqplainCredentials reads a response of RabbitMQ's AMQPLAIN: the fields of a
// table, without its size.
func amqplainCredentials(response string) (user, password string, ok bool) {
	fields, err := wire.DecodeFields([]byte(response))
	if err != nil {
		return "", "", false
	}
	user, okUser := fields["LOGIN"].(string)
	password, okPassword := fields["PASSWORD"].(string)
	return user, password, okUser && okPassword
}

func (c *conn) tuneOk(m *wire.ConnectionTuneOk) error {
	if err := negotiated("channel_max", uint32(m.ChannelMax), 1, serverChannelMax); err != nil {
		return err
	}
	if err := negotiated("frame_max", m.FrameMax, wire.FrameMinSize, serverFrameMax); err != nil {
		return err
	}
	c.channelMax = m.ChannelMax
	c.frameMax = int(m.FrameMax)
	c.frames.frameMax = c.frameMax
	c.heartbeat = time.Duration(m.Heartbeat) * time.Second
	c.phase = opening
	c.scheduleHeartbeat()
	return nil
}

// negotiated checks a limit that the client chose; 0 asks for none, which is
// more than the server offered.
func negotiated(name string, value, least, most uint32) error {
	switch {
	case value == 0:
		return connectionError(amqp091.NotAllowed, "negotiated %s = 0 (no limit) is higher than the maximum allowed value (%d)", name, most)
	case value > most:
		return connectionError(amqp091.NotAllowed, "negotiated %s = %d is higher than the maximum allowed value (%d)", name, value, most)
	case value < least:
		return connectionError(amqp091.NotAllowed, "negotiated %s = %d is lower than the minimum allowed value (%d)", name, value, least)
	}
	return nil
}

// scheduleHeartbeat sees to it that the client hears something at least every
// interval.
func (c *conn) scheduleHeartbeat() {
	if c.heartbeat == 0 {
		return
	}
	c.beat = c.server.after(c.heartbeat/2, func() {
		if c.out.idle() {
			_ = c.out.add(func(dst []byte) ([]byte, error) { return wire.AppendHeartbeat(dst), nil })
		}
		c.scheduleHeartbeat()
	})
}

func (c *conn) open(m *wire.ConnectionOpen) error {
	c.vhost = c.server.vhost(m.VirtualHost)
	c.phase = running
	c.send(0, &wire.ConnectionOpenOk{})
	if c.server.faults.blocked {
		c.sendBlocked()
	}
	return nil
}

func (c *conn) sendBlocked() {
	if c.blockNotify && c.phase == running {
		c.send(0, &wire.ConnectionBlocked{Reason: shortText(c.server.faults.blockReason)})
	}
}

func (c *conn) sendUnblocked() {
	if c.blockNotify && c.phase == running {
		c.send(0, &wire.ConnectionUnblocked{})
	}
}
