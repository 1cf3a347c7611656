package amqptest_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// patience bounds every wait for something that is expected to happen.
const patience = 60 * time.Second

// rawClient speaks AMQP frame by frame, so that it can also speak it wrongly.
type rawClient struct {
	t      *testing.T
	socket net.Conn
	buf    []byte
}

// dialRaw connects without a word.
func dialRaw(t *testing.T, addr string) *rawClient {
	t.Helper()
	socket, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return &rawClient{t: t, socket: socket}
}

// connectRaw connects and opens virtual host "/".
func connectRaw(t *testing.T, addr string, tune wire.ConnectionTuneOk) *rawClient {
	t.Helper()
	c := dialRaw(t, addr)
	c.write([]byte(wire.ProtocolHeader))
	expect[*wire.ConnectionStart](c, 0)
	c.send(0, startOk())
	expect[*wire.ConnectionTune](c, 0)
	c.send(0, &tune)
	c.send(0, &wire.ConnectionOpen{VirtualHost: "/"})
	expect[*wire.ConnectionOpenOk](c, 0)
	return c
}

// openRaw connects and opens channel 1.
func openRaw(t *testing.T, addr string) *rawClient {
	t.Helper()
	c := connectRaw(t, addr, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: 131072})
	c.openChannel(1)
	return c
}

func startOk() *wire.ConnectionStartOk {
	return &wire.ConnectionStartOk{
		ClientProperties: newapi.Table{"capabilities": newapi.Table{
			"consumer_cancel_notify": true,
			"connection.blocked":     true,
		}},
		Mechanism: "PLAIN",
		Response:  "\x00guest\x00guest",
		Locale:    "en_US",
	}
}

func (c *rawClient) openChannel(id uint16) {
	c.t.Helper()
	c.send(id, &wire.ChannelOpen{})
	expect[*wire.ChannelOpenOk](c, id)
}

func (c *rawClient) write(octets []byte) {
	c.t.Helper()
	if _, err := c.socket.Write(octets); err != nil {
		c.t.Fatalf("write: %v", err)
	}
}

func (c *rawClient) send(channel uint16, m wire.Method) {
	c.t.Helper()
	frame, err := wire.AppendMethod(nil, channel, m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(frame)
}

// publish sends a whole publish with empty properties.
func (c *rawClient) publish(channel uint16, exchange, key string, body string) {
	c.t.Helper()
	frames, err := wire.AppendBasicPublish(nil, channel, exchange, key, false, false)
	if err != nil {
		c.t.Fatal(err)
	}
	frames = wire.AppendContentHeader(frames, channel, uint64(len(body)), nil)
	c.write(wire.AppendBody(frames, channel, []byte(body), 131072))
}

// frame returns the next frame that is no heartbeat.
func (c *rawClient) frame() (wire.Frame, error) {
	for {
		f, n, err := wire.ParseFrame(c.buf, 0)
		if err != nil {
			return f, err
		}
		if n > 0 {
			f.Payload = append([]byte{}, f.Payload...)
			c.buf = c.buf[n:]
			if f.Type == wire.FrameHeartbeat {
				continue
			}
			return f, nil
		}
		chunk := make([]byte, 64<<10)
		c.socket.SetReadDeadline(time.Now().Add(patience))
		n, err = c.socket.Read(chunk)
		c.buf = append(c.buf, chunk[:n]...)
		if n == 0 && err != nil {
			return wire.Frame{}, err
		}
	}
}

// expect returns the next frame as the method it has to be.
func expect[M wire.Method](c *rawClient, channel uint16) M {
	c.t.Helper()
	f, err := c.frame()
	if err != nil {
		c.t.Fatalf("waiting for %T on channel %d: %v", *new(M), channel, err)
	}
	if f.Type != wire.FrameMethod || f.Channel != channel {
		c.t.Fatalf("frame of type %d on channel %d, want %T on channel %d", f.Type, f.Channel, *new(M), channel)
	}
	m, err := wire.ParseMethod(f.Payload)
	if err != nil {
		c.t.Fatal(err)
	}
	want, ok := m.(M)
	if !ok {
		c.t.Fatalf("%T %+v on channel %d, want %T", m, m, channel, *new(M))
	}
	return want
}

// expectContent reads the content of the method that came before.
func (c *rawClient) expectContent(channel uint16) (properties, body []byte) {
	c.t.Helper()
	f, err := c.frame()
	if err != nil || f.Type != wire.FrameHeader || f.Channel != channel {
		c.t.Fatalf("frame %+v, %v, want a content header on channel %d", f, err, channel)
	}
	h, err := wire.ParseContentHeader(f.Payload)
	if err != nil {
		c.t.Fatal(err)
	}
	for uint64(len(body)) < h.BodySize {
		f, err := c.frame()
		if err != nil || f.Type != wire.FrameBody || f.Channel != channel {
			c.t.Fatalf("frame %+v, %v, want a body on channel %d", f, err, channel)
		}
		body = append(body, f.Payload...)
	}
	return h.Properties, body
}

// expectEnd waits until the server has closed the socket.
func (c *rawClient) expectEnd() {
	c.t.Helper()
	f, err := c.frame()
	var timeout net.Error
	switch {
	case err == nil:
		c.t.Fatalf("frame %+v, want the end of the stream", f)
	case errors.Is(err, io.EOF):
	case errors.As(err, &timeout) && timeout.Timeout():
		c.t.Fatal("the socket is still open")
	}
}
