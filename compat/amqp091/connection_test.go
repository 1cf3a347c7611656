package amqp091_test

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	upstream "github.com/rabbitmq/amqp091-go"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

func is(err error, target error) bool { return errors.Is(err, target) }

func TestFieldsAreThoseOfUpstream(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		properties := amqp.Table{"product": "test"}
		properties.SetClientConnectionName("name")
		conn := dial(t, url, amqp.Config{Properties: properties, ChannelMax: 16, FrameSize: 8192, Heartbeat: 7 * time.Second})
		if _, ok := properties["capabilities"]; ok {
			t.Error("the caller's properties were changed")
		}
		old, err := upstream.DialConfig(url, upstream.Config{
			Properties: upstream.Table{"product": "test", "connection_name": "name"},
			ChannelMax: 16, FrameSize: 8192, Heartbeat: 7 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer old.Close()
		delete(old.Config.Properties, "capabilities") // that it has added to the caller's

		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"Major", conn.Major, old.Major},
			{"Minor", conn.Minor, old.Minor},
			{"Locales", conn.Locales, old.Locales},
			{"Properties", conn.Properties, old.Properties},
			{"Config.SASL", conn.Config.SASL, old.Config.SASL},
			{"Config.Vhost", conn.Config.Vhost, old.Config.Vhost},
			{"Config.ChannelMax", conn.Config.ChannelMax, old.Config.ChannelMax},
			{"Config.FrameSize", conn.Config.FrameSize, old.Config.FrameSize},
			{"Config.Heartbeat", conn.Config.Heartbeat, old.Config.Heartbeat},
			{"Config.Properties", conn.Config.Properties, old.Config.Properties},
			{"Config.Locale", conn.Config.Locale, old.Config.Locale},
			{"Config.TLSClientConfig", conn.Config.TLSClientConfig, old.Config.TLSClientConfig},
			{"IsClosed", conn.IsClosed(), old.IsClosed()},
			{"RemoteAddr", conn.RemoteAddr().String(), old.RemoteAddr().String()},
			{"ConnectionState", conn.ConnectionState().HandshakeComplete, old.ConnectionState().HandshakeComplete},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("%s is %#v, amqp091-go has %#v", c.name, c.got, c.want)
			}
		}
		if _, port, err := net.SplitHostPort(conn.LocalAddr().String()); err != nil || port == "0" {
			t.Errorf("LocalAddr is %v", conn.LocalAddr())
		}
	})
}

func TestOpenOnATransport(t *testing.T) {
	server := amqptest.NewServer(t)
	transport, err := net.Dial("tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := amqp.Open(transport, amqp.Config{SASL: []amqp.Authentication{&amqp.PlainAuth{Username: "guest", Password: "guest"}}, Vhost: "/"})
	if err != nil {
		t.Fatal(err)
	}
	if auth := conn.Config.SASL[0].(*amqp.PlainAuth); auth.Password != "" {
		t.Error("the connection keeps the password")
	}
	declare(t, channel(t, conn))
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

func TestDialTLS(t *testing.T) {
	node := brokertest.StartWith(t, brokertest.Options{TLS: true})
	conn, err := amqp.DialTLS(node.TLSURL(), &tls.Config{RootCAs: node.RootCAs()})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if !conn.ConnectionState().HandshakeComplete {
		t.Error("no TLS")
	}
	ch := channel(t, conn)
	queue := declare(t, ch)
	publish(t, ch, queue, "secret")
	if d := get(t, ch, queue); string(d.Body) != "secret" {
		t.Errorf("got %q", d.Body)
	}
	// The broker has no mechanism EXTERNAL.
	if _, err := amqp.DialTLS_ExternalAuth(node.TLSURL(), &tls.Config{RootCAs: node.RootCAs()}); err != amqp.ErrSASL {
		t.Errorf("with EXTERNAL: %v", err)
	}
}

func TestDialErrors(t *testing.T) {
	t.Run("RabbitMQ", func(t *testing.T) {
		uri, err := amqp.ParseURI(brokertest.URL(t))
		if err != nil {
			t.Fatal(err)
		}
		uri.Vhost = "missing"
		_, err = amqp.Dial(uri.String())
		if want := upstreamError(t, uri.String()); !reflect.DeepEqual(err, want) {
			t.Errorf("missing virtual host: %#v, amqp091-go has %#v", err, want)
		}
	})
	if _, err := amqp.Dial("http://localhost"); err == nil {
		t.Error("no error for a URL of another scheme")
	}
	refused := errors.New("refused")
	_, err := amqp.DialConfig("amqp://localhost", amqp.Config{Dial: func(string, string) (net.Conn, error) { return nil, refused }})
	if err != refused {
		t.Errorf("Config.Dial fails: %v", err)
	}
}

func upstreamError(t *testing.T, url string) error {
	t.Helper()
	conn, err := upstream.Dial(url)
	if err == nil {
		conn.Close()
		t.Fatalf("amqp091-go dials %s", url)
	}
	return err
}

func TestRefusedLoginIsErrCredentials(t *testing.T) {
	t.Run("amqptest", func(t *testing.T) {
		server := amqptest.NewServer(t)
		server.RequireLogin("user", "right")
		if _, err := amqp.Dial("amqp://user:wrong@" + server.Addr()); err != amqp.ErrCredentials {
			t.Errorf("%#v", err)
		}
		dial(t, "amqp://user:right@"+server.Addr(), amqp.Config{})
	})
	t.Run("RabbitMQ", func(t *testing.T) {
		uri, err := amqp.ParseURI(brokertest.URL(t))
		if err != nil {
			t.Fatal(err)
		}
		uri.Username, uri.Password = "amqpfix-nobody", "wrong"
		if _, err := amqp.Dial(uri.String()); err != amqp.ErrCredentials {
			t.Errorf("%#v", err)
		}
		if err := upstreamError(t, uri.String()); err != amqp.ErrCredentials {
			t.Errorf("amqp091-go: %#v", err)
		}
	})
}

func TestRecoveryIsRefusedUntilItExists(t *testing.T) {
	dialled := false
	config := amqp.Config{
		Recovery: &amqp.Recovery{ConnectionRecovery: &amqp.DefaultConnectionRecovery{}},
		Dial: func(string, string) (net.Conn, error) {
			dialled = true
			return nil, errors.New("dialled")
		},
	}
	if _, err := amqp.DialConfig("amqp://localhost", config); err == nil || !strings.Contains(err.Error(), "Config.Recovery") || dialled {
		t.Errorf("DialConfig: %v, dialled is %v", err, dialled)
	}
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	if _, err := amqp.Open(client, config); err == nil || !strings.Contains(err.Error(), "Config.Recovery") {
		t.Errorf("Open: %v", err)
	}

	conn := dial(t, amqptest.NewServer(t).URL(), amqp.Config{})
	ch := channel(t, conn)
	for name, enabled := range map[string]bool{
		"IsRecoveryEnabled":           conn.IsRecoveryEnabled(),
		"IsConnectionRecoveryEnabled": conn.IsConnectionRecoveryEnabled(),
		"IsTopologyRecoveryEnabled":   conn.IsTopologyRecoveryEnabled(),
		"MaxRetryCount":               conn.MaxRetryCount() != 0,
		"RetryInterval":               conn.RetryInterval() != 0,
	} {
		if enabled {
			t.Errorf("%s says that there is recovery", name)
		}
	}
	if err := conn.Reconnect(); err != amqp.ErrClosed {
		t.Errorf("Connection.Reconnect: %v", err)
	}
	if err := ch.Reconnect(); err != amqp.ErrClosed {
		t.Errorf("Channel.Reconnect: %v", err)
	}
	if skipped, err := (&amqp.DefaultTopologyRecovery{}).RecoverTopology(conn, []*amqp.Channel{ch}); skipped != nil || err != nil {
		t.Errorf("RecoverTopology: %v, %v", skipped, err)
	}
	if topology := ch.TopologyConfiguration(true); topology.Exchanges == nil || topology.Queues == nil || len(topology.Bindings) > 0 {
		t.Errorf("TopologyConfiguration: %+v", topology)
	}
}

// logger records what is logged.
type logger []string

func (l *logger) Printf(format string, v ...any) { *l = append(*l, format) }

func TestDefaultRecoveryLogs(t *testing.T) {
	var logged logger
	amqp.SetLogger(&logged)
	defer amqp.SetLogger(amqp.NullLogger{})
	var recovery amqp.ConnectionRecovery = &amqp.DefaultConnectionRecovery{}
	recovery.OnConnectionClose(&amqp.Connection{}, amqp.ErrClosed)
	recovery.OnChannelClose(&amqp.Channel{}, amqp.ErrClosed)
	if len(logged) != 2 {
		t.Errorf("logged %q", logged)
	}
}

func TestCloseByTheClient(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		conn := dial(t, url, amqp.Config{})
		ch := channel(t, conn)
		closes := conn.NotifyClose(make(chan *amqp.Error, 1))
		blocks := conn.NotifyBlocked(make(chan amqp.Blocking))
		recovery := conn.NotifyRecoveryCancel(make(chan struct{}))
		states, channelStates := make(chan *amqp.StateChanged), make(chan *amqp.StateChanged)
		conn.NotifyStateChange(states)
		conn.NotifyStateChange(states)
		conn.NotifyStateChange(nil)
		ch.NotifyStateChange(channelStates)
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		wantClosed(t, closes)
		wantClosed(t, blocks)
		wantClosed(t, recovery)
		wantChanges(t, states, "From: open, To: closing", "From: closing, To: closed")
		wantChanges(t, channelStates, "From: open, To: closed")
		if !conn.IsClosed() || !ch.IsClosed() {
			t.Error("not closed")
		}
		for name, err := range map[string]error{
			"Close":         conn.Close(),
			"CloseDeadline": conn.CloseDeadline(time.Now().Add(time.Second)),
			"Channel":       second(conn.Channel()),
			"UpdateSecret":  conn.UpdateSecret("secret", "reason"),
		} {
			if err != amqp.ErrClosed {
				t.Errorf("%s on a closed connection: %v", name, err)
			}
		}
		late := make(chan *amqp.StateChanged)
		conn.NotifyStateChange(late)
		wantClosed(t, late)
		wantClosed(t, conn.NotifyRecoveryCancel(make(chan struct{})))
	})
}

func wantChanges(t *testing.T, states <-chan *amqp.StateChanged, want ...string) {
	t.Helper()
	for _, w := range want {
		if change, ok := receive(t, states); !ok || change.String() != w {
			t.Errorf("state change %v, want %q", change, w)
		}
	}
	wantClosed(t, states)
}

func TestCloseByTheBroker(t *testing.T) {
	server := amqptest.NewServer(t)
	conn := dial(t, server.URL(), amqp.Config{})
	ch := channel(t, conn)
	closes, channelCloses := conn.NotifyClose(make(chan *amqp.Error, 1)), ch.NotifyClose(make(chan *amqp.Error, 1))
	recovery := conn.NotifyRecoveryCancel(make(chan struct{}))
	states := make(chan *amqp.StateChanged, 2)
	conn.NotifyStateChange(states)
	server.CloseConnections(amqp.ConnectionForced, "maintenance")
	e, _ := receive(t, closes)
	if e == nil || e.Code != amqp.ConnectionForced || !strings.Contains(e.Reason, "maintenance") || !e.Server || e.Recover {
		t.Fatalf("closed with %#v", e)
	}
	wantClosed(t, closes)
	if e, _ := receive(t, channelCloses); e == nil || e.Code != amqp.ConnectionForced {
		t.Errorf("channel closed with %#v", e)
	}
	wantClosed(t, recovery)
	change, _ := receive(t, states)
	if change.From != amqp.StateOpen || change.To != amqp.StateClosed || !is(change.Err, e) {
		t.Errorf("state change %v", change)
	}
	wantClosed(t, states)
}

func TestUnreadStateChangeIsGivenUp(t *testing.T) {
	defer amqp.SetStateGrace(50 * time.Millisecond)()
	conn := dial(t, amqptest.NewServer(t).URL(), amqp.Config{})
	states := make(chan *amqp.StateChanged)
	conn.NotifyStateChange(states)
	conn.Close()
	time.Sleep(time.Second)
	wantClosed(t, states)
}

func TestBlockedConnection(t *testing.T) {
	server := amqptest.NewServer(t)
	conn := dial(t, server.URL(), amqp.Config{})
	blocks := conn.NotifyBlocked(make(chan amqp.Blocking, 1))
	server.Block("memory")
	if b, _ := receive(t, blocks); !b.Active || b.Reason != "memory" {
		t.Errorf("blocked: %+v", b)
	}
	server.Unblock()
	if b, _ := receive(t, blocks); b.Active {
		t.Errorf("unblocked: %+v", b)
	}
}

func TestChannelsAreUsedUp(t *testing.T) {
	conn := dial(t, amqptest.NewServer(t).URL(), amqp.Config{ChannelMax: 2})
	first := channel(t, conn)
	channel(t, conn)
	if _, err := conn.Channel(); err != amqp.ErrChannelMax {
		t.Errorf("third channel of two: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	channel(t, conn)
}

// tuned is a transport to a broker that suggests another frame_max.
type tuned struct {
	net.Conn
	frameMax uint32
}

func (c tuned) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if at := bytes.Index(b[:n], []byte("\x00\x0a\x00\x1e")); at >= 0 { // connection.tune: channel_max, frame_max, heartbeat
		binary.BigEndian.PutUint32(b[at+6:], c.frameMax)
	}
	return n, err
}

func (c tuned) Write(b []byte) (int, error) {
	b = append([]byte(nil), b...)
	if at := bytes.Index(b, []byte("\x00\x0a\x00\x1f")); at >= 0 { // tune-ok: what this broker expects
		binary.BigEndian.PutUint32(b[at+6:], 131072)
	}
	return c.Conn.Write(b)
}

// The frame size that Open and DialConfig agree on is that of amqp091-go, whatever
// either side asks for.
func TestFrameSizeIsUpstreams(t *testing.T) {
	server := amqptest.NewServer(t)
	transport := func(frameMax uint32) net.Conn {
		conn, err := net.Dial("tcp", server.Addr())
		if err != nil {
			t.Fatal(err)
		}
		return tuned{conn, frameMax}
	}
	for _, frameMax := range []uint32{0, 4096, 8192, 131072, 262144, 1 << 30} {
		for _, size := range []int{0, 1, 4096, 100000, 200000, 1 << 28, amqp.FrameSizeUnlimited} {
			dialed := func(string, string) (net.Conn, error) { return transport(frameMax), nil }
			ours := amqp.Config{FrameSize: size, Dial: dialed, Vhost: "/", SASL: []amqp.Authentication{&amqp.PlainAuth{Username: "guest", Password: "guest"}}}
			theirs := upstream.Config{FrameSize: size, Dial: dialed, Vhost: "/", SASL: ours.SASL}
			opened, err := amqp.Open(transport(frameMax), ours)
			if err != nil {
				t.Fatal(err)
			}
			oldOpened, err := upstream.Open(transport(frameMax), theirs)
			if err != nil {
				t.Fatal(err)
			}
			dialledConn, err := amqp.DialConfig(server.URL(), ours)
			if err != nil {
				t.Fatal(err)
			}
			oldDialled, err := upstream.DialConfig(server.URL(), theirs)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := opened.Config.FrameSize, oldOpened.Config.FrameSize; got != want {
				t.Errorf("Open with FrameSize %d, the broker has %d: agreed on %d, want %d", size, frameMax, got, want)
			}
			if got, want := dialledConn.Config.FrameSize, oldDialled.Config.FrameSize; got != want {
				t.Errorf("DialConfig with FrameSize %d, the broker has %d: agreed on %d, want %d", size, frameMax, got, want)
			}
			for _, c := range []interface{ Close() error }{opened, oldOpened, dialledConn, oldDialled} {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
