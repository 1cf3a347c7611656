package newapi

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math"
	"net"
	"os"
	"strings"
	"time"
)

const (
	version                  = "0.1.0"
	defaultHeartbeat         = 10 * time.Second
	defaultConnectionTimeout = 30 * time.Second
	handshakeTimeout         = 2 * time.Minute // on a transport that the user has opened
	defaultPublishTimeout    = 30 * time.Second
	defaultFrameSize         = 128 << 10
	defaultChannelMax        = 2047
	defaultLocale            = "en_US"
	defaultConsumerBuffer    = 256 << 20
)

// Config holds what a connection negotiates with the broker and how it behaves.
// The fields that amqp091-go has keep its names and meaning. The zero value is
// ready to use with DialConfig.
type Config struct {
	// SASL holds the mechanisms to offer, in order of preference. When nil, the
	// URL decides: its auth_mechanism, or PLAIN with its user and password.
	// After Dial it holds the one chosen, without its password.
	SASL []Authentication

	// Vhost is the virtual host. When empty, the URL's path.
	Vhost string

	// ChannelMax caps the number of channels. 0 accepts the broker's limit, or
	// 2047 if it has none.
	ChannelMax uint16

	// FrameSize caps the size of a frame in octets, its 8 octets of framing
	// included. 0 means 131072; FrameSizeUnlimited asks for no limit.
	FrameSize int

	// Heartbeat is the interval after which a silent connection is in doubt;
	// heartbeats are sent at half of it, and a connection on which nothing was
	// received for two intervals is closed. The broker's own interval counts if it is
	// shorter. 0 means 10 s with DialConfig, and the broker's interval with Open and
	// with heartbeat=0 in the URL: there are no heartbeats only if the broker does not
	// want any either. At most 65535 s; fractions of a second are cut, but not to 0.
	Heartbeat time.Duration

	// TLSClientConfig is used for amqps URLs. When nil, one is made from the
	// URL's parameters; an empty ServerName becomes the URL's host.
	TLSClientConfig *tls.Config

	// Properties is what the client tells the broker about itself. When empty,
	// NewConnectionProperties. The capabilities are always added, to a copy.
	Properties Table

	// Locale is the message locale; en_US when empty.
	Locale string

	// Dial opens the transport. When nil, DefaultDial with 30 s, or with the
	// URL's connection_timeout. A deadline that it sets on the transport bounds the
	// handshakes that follow and is removed after them; they also end after the
	// URL's connection_timeout or, if it has none, two minutes.
	Dial func(network, addr string) (net.Conn, error)

	// PublishTimeout is how long a publish waits for a connection that makes no
	// progress; it then returns ErrPublishTimeout and nothing of its message was
	// sent. A write that makes no progress for as long, while the broker has not
	// announced connection.blocked, ends the connection. 0 means 30 s, a negative
	// value no limit. It is measured in eighths of itself, of 5 ms at least: it
	// comes up to an eighth late, and less than 40 ms counts as 40 ms.
	PublishTimeout time.Duration

	// Buffered lets a plain publish return when it is admitted to the send
	// buffer (128 KiB) instead of when its octets are with the kernel: many times
	// the throughput, for the price that a message accepted just before the
	// process exits or the connection fails may be lost without an error. Use
	// Channel.Flush, Close or confirms. Bodies from 64 KiB on are unaffected.
	Buffered bool

	// MaxUnconfirmed bounds how many publishes of one channel in confirm mode may
	// be outstanding at the broker. A publish beyond it waits, until the broker
	// settles one, ctx ends or PublishTimeout has passed. 0 means no limit but the
	// one there always is: a publish waits in the same way while 1,048,576 others,
	// or MaxUnconfirmed if that is more, have followed the oldest one outstanding.
	MaxUnconfirmed int

	// MaxMessageSize is the largest body, in octets, that a delivery, a Get or a
	// return may have. A larger one ends its channel with ContentTooLarge.
	// 0 means no limit.
	MaxMessageSize int64

	// ConsumerBufferBytes bounds what the deliveries of one channel may hold
	// unread. With the delivery that comes when there is more, the channel ends
	// with ErrConsumerOverrun. A prefetch
	// (Channel.Qos) bounds the same at the broker. 0 means 256 MiB, a negative
	// value no limit.
	ConsumerBufferBytes int64
}

// check finds what could not be negotiated as it stands.
func (config *Config) check() error {
	if h := config.Heartbeat; h < 0 || h/time.Second > math.MaxUint16 {
		return fmt.Errorf("newapi: Config.Heartbeat is %v; it must be from 0 to 65535 s", h)
	}
	return nil
}

func (config Config) withDefaults() Config {
	if config.Locale == "" {
		config.Locale = defaultLocale
	}
	if config.FrameSize == 0 {
		config.FrameSize = defaultFrameSize
	}
	if config.PublishTimeout == 0 {
		config.PublishTimeout = defaultPublishTimeout
	}
	if config.ConsumerBufferBytes == 0 {
		config.ConsumerBufferBytes = defaultConsumerBuffer
	}
	return config
}

// NewConnectionProperties returns what Config.Properties is when left empty:
// product, version and platform. The caller owns the table.
func NewConnectionProperties() Table {
	return Table{
		"product":  "amqpfix newapi",
		"version":  version,
		"platform": "golang",
	}
}

// DefaultDial returns a dial function that gives up after connectionTimeout, and
// gives the handshakes that follow as long again.
func DefaultDial(connectionTimeout time.Duration) func(network, addr string) (net.Conn, error) {
	return func(network, addr string) (net.Conn, error) {
		conn, err := net.DialTimeout(network, addr, connectionTimeout)
		if err != nil {
			return nil, err
		}
		if err := conn.SetDeadline(time.Now().Add(connectionTimeout)); err != nil {
			conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

// saslFromURI is what the URL says about authentication.
func saslFromURI(uri URI) ([]Authentication, error) {
	if uri.AuthMechanism == nil {
		return []Authentication{uri.PlainAuth()}, nil
	}
	var mechanisms []Authentication
	for _, name := range uri.AuthMechanism {
		switch strings.ToUpper(name) {
		case "PLAIN":
			mechanisms = append(mechanisms, uri.PlainAuth())
		case "AMQPLAIN":
			mechanisms = append(mechanisms, uri.AMQPlainAuth())
		case "EXTERNAL":
			mechanisms = append(mechanisms, &ExternalAuth{})
		default:
			return nil, fmt.Errorf("newapi: auth_mechanism %q in the URL; use plain, amqplain or external", name)
		}
	}
	return mechanisms, nil
}

// tlsFromURI is what the URL's certfile, keyfile, cacertfile and
// server_name_indication say.
func tlsFromURI(uri URI) (*tls.Config, error) {
	config := &tls.Config{ServerName: uri.ServerName, MinVersion: tls.VersionTLS12}
	if uri.CACertFile != "" {
		pem, err := os.ReadFile(uri.CACertFile)
		if err != nil {
			return nil, fmt.Errorf("newapi: cacertfile: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("newapi: cacertfile %s holds no PEM certificate", uri.CACertFile)
		}
	}
	if (uri.CertFile == "") != (uri.KeyFile == "") {
		return nil, fmt.Errorf("newapi: certfile and keyfile go together (certfile %q, keyfile %q)", uri.CertFile, uri.KeyFile)
	}
	if uri.CertFile != "" {
		certificate, err := tls.LoadX509KeyPair(uri.CertFile, uri.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("newapi: certfile: %w", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}
