package amqp091

import (
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
)

// Config holds what a connection negotiates with the broker. The zero value is
// ready to use with DialConfig.
type Config struct {
	// SASL holds the mechanisms to offer, in order of preference. When nil, the
	// URL decides. After Dial it holds the one chosen, without its password.
	SASL []Authentication

	// Vhost is the virtual host. When empty, the URL's path.
	Vhost string

	// ChannelMax caps the number of channels. 0 accepts the broker's limit, or
	// 2047 if it has none.
	ChannelMax uint16

	// FrameSize caps the size of a frame in octets. 0 means 131072 with Dial and
	// no wish of the client with Open; FrameSizeUnlimited asks for no limit.
	FrameSize int

	// Heartbeat is the interval after which a silent connection is in doubt, in
	// whole seconds. 0 means 10 s with Dial and the broker's interval with Open.
	// A heartbeat in the URL goes before it, and heartbeat=0 there leaves it to the
	// broker, as in amqp091-go. The broker's own interval counts if it is shorter.
	Heartbeat time.Duration

	// TLSClientConfig is used for amqps URLs. When nil, one is made from the
	// URL's parameters.
	TLSClientConfig *tls.Config

	// Properties is what the client tells the broker about itself. When empty,
	// NewConnectionProperties. It is not changed.
	Properties Table

	// Locale is the message locale; en_US when empty.
	Locale string

	// Dial opens the transport. When nil, DefaultDial with 30 s, or with the
	// URL's connection_timeout.
	Dial func(network, addr string) (net.Conn, error)

	// Recovery has to be nil: this package does not recover connections yet, and
	// dialling with one is an error.
	Recovery *Recovery
}

// NewConnectionProperties returns what Config.Properties is when left empty:
// product, version and platform of this client. The caller owns the table.
func NewConnectionProperties() Table { return newapi.NewConnectionProperties() }

// DefaultDial returns a dial function that gives up after connectionTimeout, and
// gives the handshakes that follow as long again.
func DefaultDial(connectionTimeout time.Duration) func(network, addr string) (net.Conn, error) {
	return newapi.DefaultDial(connectionTimeout)
}

var errRecovery = errors.New("amqp091: Config.Recovery is not supported yet: leave it nil, and dial again when NotifyClose reports an error")

// engine is what newapi is configured with. amqp091-go bounds neither a publish
// nor what it holds for consumers.
func (config *Config) engine() (newapi.Config, error) {
	if config.Recovery != nil {
		return newapi.Config{}, errRecovery
	}
	return newapi.Config{
		SASL:            config.SASL,
		Vhost:           config.Vhost,
		ChannelMax:      config.ChannelMax,
		FrameSize:       config.FrameSize,
		Heartbeat:       config.Heartbeat,
		TLSClientConfig: config.TLSClientConfig,
		Properties:      config.Properties,
		Locale:          config.Locale,
		Dial:            config.Dial,

		PublishTimeout:      -1,
		ConsumerBufferBytes: -1,
	}, nil
}

// negotiated is the inverse of engine, for a connection that is open.
func negotiated(config newapi.Config) Config {
	return Config{
		SASL:            config.SASL,
		Vhost:           config.Vhost,
		ChannelMax:      config.ChannelMax,
		FrameSize:       config.FrameSize,
		Heartbeat:       config.Heartbeat,
		TLSClientConfig: config.TLSClientConfig,
		Properties:      config.Properties,
		Locale:          config.Locale,
		Dial:            config.Dial,
	}
}
