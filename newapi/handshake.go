package newapi

import (
	"errors"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// handshake opens the connection (AMQP 0-9-1 section 2.2.4):
//
//	C: protocol header, S: start, C: start-ok, S: tune, C: tune-ok, C: open, S: open-ok
func (c *Connection) handshake(config Config) error {
	started := c.calls.expect(wire.IDConnectionStart)
	if err := c.writer.send(nil, func(dst []byte) ([]byte, error) {
		return append(dst, wire.ProtocolHeader...), nil
	}); err != nil {
		return err
	}
	m, err := c.calls.await(started)
	if err != nil {
		return err
	}
	start := m.(*wire.ConnectionStart)
	c.Major, c.Minor = int(start.VersionMajor), int(start.VersionMinor)
	c.Properties = start.ServerProperties
	c.Locales = strings.Fields(start.Locales)

	auth := chooseSASL(config.SASL, strings.Fields(start.Mechanisms))
	if auth == nil {
		return ErrSASL
	}
	m, err = c.call(&wire.ConnectionStartOk{
		ClientProperties: clientProperties(config.Properties),
		Mechanism:        auth.Mechanism(),
		Response:         auth.Response(),
		Locale:           config.Locale,
	}, wire.IDConnectionTune)
	if err != nil {
		return refused(err, ErrCredentials)
	}
	c.Config.SASL = []Authentication{withoutPassword(auth)}

	tuneOk := c.tune(config, m.(*wire.ConnectionTune))
	if err := c.writer.control(0, tuneOk); err != nil {
		return err
	}
	if _, err := c.call(&wire.ConnectionOpen{VirtualHost: config.Vhost}, wire.IDConnectionOpenOk); err != nil {
		return refused(err, ErrVhost)
	}
	if conn, ok := c.conn.(interface{ SetDeadline(time.Time) error }); ok {
		_ = conn.SetDeadline(time.Time{}) // it bounded the handshake only
	}
	if c.Config.Heartbeat > 0 {
		go c.heartbeats(c.Config.Heartbeat)
	}
	return nil
}

// tune settles the limits. Both sides' 0 means no limit; else the lower counts.
func (c *Connection) tune(config Config, tune *wire.ConnectionTune) *wire.ConnectionTuneOk {
	channelMax := lower(int(config.ChannelMax), int(tune.ChannelMax))
	if channelMax == 0 {
		channelMax = defaultChannelMax
	}
	frameMax := lower(min(max(config.FrameSize, 0), math.MaxInt32), int(min(tune.FrameMax, math.MaxInt32)))
	if frameMax > 0 {
		frameMax = max(frameMax, wire.FrameMinSize)
	}
	seconds := int(config.Heartbeat / time.Second)
	if config.Heartbeat > 0 {
		seconds = max(seconds, 1) // 0 would be no heartbeat
	}
	heartbeat := lower(seconds, int(tune.Heartbeat))

	c.Config.ChannelMax = uint16(channelMax)
	c.Config.FrameSize = frameMax
	c.Config.Heartbeat = time.Duration(heartbeat) * time.Second
	c.frameMax.Store(int64(frameMax))
	c.writer.setFrameMax(frameMax)
	return &wire.ConnectionTuneOk{ChannelMax: uint16(channelMax), FrameMax: uint32(frameMax), Heartbeat: uint16(heartbeat)}
}

// lower picks the lower of two limits, of which 0 is none.
func lower(client, server int) int {
	if client == 0 || server == 0 {
		return max(client, server)
	}
	return min(client, server)
}

// clientProperties is a copy of the user's table with what this client can do.
func clientProperties(properties Table) Table {
	if len(properties) == 0 {
		properties = NewConnectionProperties()
	}
	all := make(Table, len(properties)+1)
	for k, v := range properties {
		all[k] = v
	}
	all["capabilities"] = Table{
		"authentication_failure_close": true,
		"basic.nack":                   true,
		"connection.blocked":           true,
		"consumer_cancel_notify":       true,
		"publisher_confirms":           true,
	}
	return all
}

func chooseSASL(client []Authentication, server []string) Authentication {
	for _, auth := range client {
		for _, mechanism := range server {
			if auth.Mechanism() == mechanism {
				return auth
			}
		}
	}
	return nil
}

// withoutPassword is a copy to keep; the caller's own value stays as it is.
func withoutPassword(auth Authentication) Authentication {
	switch a := auth.(type) {
	case *PlainAuth:
		return &PlainAuth{Username: a.Username}
	case *AMQPlainAuth:
		return &AMQPlainAuth{Username: a.Username}
	}
	return auth
}

// refusedError is a handshake that the broker refused: errors.Is finds the
// sentinel of the step, errors.As the broker's own words.
type refusedError struct {
	words *Error
	step  *Error
}

func (e *refusedError) Error() string   { return e.words.Error() }
func (e *refusedError) Unwrap() []error { return []error{e.words, e.step} }

// refused is err with the sentinel of the step that failed. A broker that drops
// the transport without a word has only one reason to at this step.
func refused(err error, step *Error) error {
	var words *Error
	switch {
	case !errors.As(err, &words):
		return err
	case words.Server:
		return &refusedError{words, step}
	case words.Reason == io.EOF.Error() || strings.Contains(words.Reason, "connection reset"):
		return step
	}
	return err // a timeout, or nonsense from the peer
}

// heartbeatFromURL reads the heartbeat parameter, in seconds, of a URL that
// ParseURI has accepted.
func heartbeatFromURL(raw string) (interval time.Duration, given bool, err error) {
	u, err := url.Parse(raw)
	if err != nil || !u.Query().Has("heartbeat") {
		return 0, false, err
	}
	seconds, err := strconv.ParseUint(u.Query().Get("heartbeat"), 10, 16)
	return time.Duration(seconds) * time.Second, err == nil, err
}
