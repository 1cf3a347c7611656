package newapi

import (
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// pipe returns the two ends of a TCP connection.
func pipe(t *testing.T) (client net.Conn, server *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if client, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		accepted.Close()
	})
	return client, accepted.(*net.TCPConn)
}

func TestNegotiatedLimits(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		name   string
		config Config
		tune   wire.ConnectionTune
		want   wire.ConnectionTuneOk
	}{
		{"the broker's", Config{FrameSize: FrameSizeUnlimited}, wire.ConnectionTune{ChannelMax: 9, FrameMax: 8192, Heartbeat: 60}, wire.ConnectionTuneOk{ChannelMax: 9, FrameMax: 8192, Heartbeat: 60}},
		{"the client's", Config{ChannelMax: 5, FrameSize: 4096, Heartbeat: 10 * second}, wire.ConnectionTune{ChannelMax: 9, FrameMax: 8192, Heartbeat: 60}, wire.ConnectionTuneOk{ChannelMax: 5, FrameMax: 4096, Heartbeat: 10}},
		{"nobody's", Config{FrameSize: FrameSizeUnlimited}, wire.ConnectionTune{}, wire.ConnectionTuneOk{ChannelMax: 2047}},
		{"below the smallest frame", Config{FrameSize: 1}, wire.ConnectionTune{}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: 4096}},
		{"the largest frame", Config{FrameSize: math.MaxInt}, wire.ConnectionTune{}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: math.MaxInt32}},
		{"the broker's largest frame", Config{FrameSize: FrameSizeUnlimited}, wire.ConnectionTune{FrameMax: math.MaxUint32}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: math.MaxInt32}},
		{"the longest heartbeat", Config{Heartbeat: 65535*second + 999*time.Millisecond}, wire.ConnectionTune{FrameMax: 4096}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: 4096, Heartbeat: 65535}},
		{"a heartbeat with a fraction", Config{Heartbeat: 3 * second / 2}, wire.ConnectionTune{FrameMax: 4096, Heartbeat: 60}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: 4096, Heartbeat: 1}},
		{"a heartbeat below a second", Config{Heartbeat: time.Millisecond}, wire.ConnectionTune{FrameMax: 4096, Heartbeat: 60}, wire.ConnectionTuneOk{ChannelMax: 2047, FrameMax: 4096, Heartbeat: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, server := pipe(t)
			p := &peer{tb: t, conn: server}
			shaken := make(chan error, 1)
			go func() { shaken <- p.handshake(test.tune) }()
			test.config.SASL = []Authentication{&PlainAuth{}}
			conn, err := Open(client, test.config)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.end(nil)
			if err, _ := next(t, "the handshake", shaken); err != nil {
				t.Fatal(err)
			}
			if *p.tuneOk != test.want {
				t.Errorf("agreed to %+v, want %+v", *p.tuneOk, test.want)
			}
			if got := conn.Config.Heartbeat; got != time.Duration(test.want.Heartbeat)*second {
				t.Errorf("Config.Heartbeat is %v", got)
			}
		})
	}
}

// A broker that does not keep to the handshake is named as the reason.
func TestNonsenseInTheHandshake(t *testing.T) {
	for _, test := range []struct {
		name string
		raw  string
		code int
	}{
		{"another protocol", "HTTP/1.1 400 Bad Request\r\n", FrameError},
		{"another method", "\x01\x00\x00\x00\x00\x00\x05\x00\x0a\x00\x29\x00\xce", CommandInvalid}, // open-ok
		{"a channel's method", "\x01\x00\x01\x00\x00\x00\x08\x00\x14\x00\x0b\x00\x00\x00\x00\xce", UnexpectedFrame},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, server := pipe(t)
			p := &peer{tb: t, conn: server}
			p.writeRaw([]byte(test.raw))
			var err error
			within(t, "Open", func() { _, err = Open(client, Config{SASL: []Authentication{&PlainAuth{}}}) })
			if e, ok := err.(*Error); !ok || e.Code != test.code {
				t.Errorf("got %v, want code %d", err, test.code)
			}
		})
	}
}

func TestHeartbeatOutOfRange(t *testing.T) {
	for _, heartbeat := range []time.Duration{-1, -time.Second, 65536 * time.Second, math.MaxInt64} {
		client, server := pipe(t)
		config := Config{Heartbeat: heartbeat, Dial: func(string, string) (net.Conn, error) {
			t.Error("dialled")
			return nil, errors.New("not to be dialled")
		}}
		for what, open := range map[string]func() (*Connection, error){
			"DialConfig": func() (*Connection, error) { return DialConfig("amqp://127.0.0.1:1/", config) },
			"Open":       func() (*Connection, error) { return Open(client, config) },
		} {
			if _, err := open(); err == nil || !strings.Contains(err.Error(), heartbeat.String()) || !strings.Contains(err.Error(), "65535") {
				t.Errorf("%s with a heartbeat of %v: %v", what, heartbeat, err)
			}
		}
		if sent, _ := io.ReadAll(server); len(sent) > 0 {
			t.Errorf("sent %q", sent)
		}
	}
}

// A broker that falls silent in the middle of the handshake is given up on, whoever
// has opened the transport.
func TestSilentBrokerIsGivenUpOn(t *testing.T) {
	start := &wire.ConnectionStart{VersionMinor: 9, Mechanisms: "PLAIN", Locales: "en_US"}
	tune := &wire.ConnectionTune{FrameMax: 4096}
	for _, test := range []struct {
		name   string
		scheme string
		says   []wire.Method
	}{
		{"from the beginning", "amqp", nil},
		{"after start", "amqp", []wire.Method{start}},
		{"after tune", "amqp", []wire.Method{start, tune}},
		{"in the TLS handshake", "amqps", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			client, server := pipe(t)
			p, says := &peer{tb: t, conn: server}, test.says
			go func() {
				_, _ = io.CopyN(io.Discard, server, int64(len(wire.ProtocolHeader)))
				for i, m := range says {
					if i > 0 {
						if _, err := p.read(); err != nil {
							t.Errorf("peer: %v", err)
						}
					}
					p.write(0, m)
				}
			}()
			var err error
			within(t, "DialConfig", func() {
				_, err = DialConfig(test.scheme+"://127.0.0.1/?connection_timeout=100", Config{
					TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12},
					Dial:            func(string, string) (net.Conn, error) { return client, nil },
				})
			})
			if err == nil || !strings.Contains(err.Error(), "handshake") {
				t.Errorf("got %v, want an error about the handshake", err)
			}
			if _, err := client.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("the transport is open: %v", err)
			}
		})
	}
}

// Without a negotiated limit a body still goes out in frames that can say their size.
func TestBodyFramesFitTheirSizeField(t *testing.T) {
	for frameMax, want := range map[int]int{
		0: math.MaxInt32, 4096: 4088, 131072: 131064, math.MaxInt32: math.MaxInt32 - wire.FrameOverhead,
	} {
		w := &writer{frameMax: frameMax}
		if got := w.pieceSize(); got != want {
			t.Errorf("frame_max %d: pieces of %d octets, want %d", frameMax, got, want)
		}
	}
}
