package compat_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"net"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	upstream "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

var update = flag.Bool("update", false, "write testdata/wire.golden, from what newapi sends")

// sent records what a client sends.
type sent struct {
	net.Conn
	mu    sync.Mutex
	bytes []byte
}

func (s *sent) dial(network, addr string) (net.Conn, error) {
	conn, err := net.Dial(network, addr)
	s.Conn = conn
	return s, err
}

func (s *sent) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.bytes = append(s.bytes, b...)
	s.mu.Unlock()
	return s.Conn.Write(b)
}

// take returns what was sent since it was called last.
func (s *sent) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.bytes
	s.bytes = nil
	return b
}

const (
	goldenExchange = "amq.topic"
	goldenKey      = "golden.key"
	goldenBody     = "body"
)

// goldenPublisher is one of the ways to publish that must put the same bytes on
// the wire.
type goldenPublisher struct {
	name    string
	wire    *sent
	publish func(s plain, set []property) error
	cannot  newapi.PropertySet // what it has no field for
}

func goldenPublishers(t *testing.T, url string) []goldenPublisher {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var newWire, compatWire, shimWire, upstreamWire sent

	newConn, err := newapi.DialConfig(url, newapi.Config{Dial: newWire.dial})
	check(err)
	t.Cleanup(func() { newConn.Close() })
	newChannel, err := newConn.Channel()
	check(err)

	compatConn, err := compat.DialConfig(url, newapi.Config{Dial: compatWire.dial})
	check(err)
	t.Cleanup(func() { compatConn.Close() })
	compatChannel, err := compatConn.Channel()
	check(err)

	shimConn, err := amqp091.DialConfig(url, amqp091.Config{Dial: shimWire.dial})
	check(err)
	t.Cleanup(func() { shimConn.Close() })
	shimChannel, err := shimConn.Channel()
	check(err)

	upstreamConn, err := upstream.DialConfig(url, upstream.Config{Dial: upstreamWire.dial})
	check(err)
	t.Cleanup(func() { upstreamConn.Close() })
	upstreamChannel, err := upstreamConn.Channel()
	check(err)

	ctx, body := context.Background(), []byte(goldenBody)
	return []goldenPublisher{
		{name: "newapi", wire: &newWire, publish: func(s plain, _ []property) error {
			return newapi.BasicPublish(ctx, newChannel, goldenExchange, goldenKey, s, body, newapi.Mandatory)
		}},
		{name: "compat", wire: &compatWire, publish: func(_ plain, set []property) error {
			p := compatChannel.CreateBasicProperties()
			for _, property := range set {
				property.set(p)
			}
			return compatChannel.BasicPublish(goldenExchange, goldenKey, true, p, body)
		}},
		{name: "compat/amqp091", wire: &shimWire, cannot: newapi.PropertyClusterId, publish: func(_ plain, set []property) error {
			return shimChannel.PublishWithContext(ctx, goldenExchange, goldenKey, true, false, publishing(set))
		}},
		{name: "amqp091-go", wire: &upstreamWire, cannot: newapi.PropertyClusterId, publish: func(_ plain, set []property) error {
			return upstreamChannel.PublishWithContext(ctx, goldenExchange, goldenKey, true, false, publishing(set))
		}},
	}
}

// publishing has the same values under the same names.
func publishing(set []property) upstream.Publishing {
	p := upstream.Publishing{Body: []byte(goldenBody)}
	for _, property := range set {
		reflect.ValueOf(&p).Elem().FieldByName(property.name).Set(reflect.ValueOf(property.value))
	}
	return p
}

type goldenMessage struct {
	name string
	set  []property
}

func (m goldenMessage) has(p newapi.PropertySet) bool {
	for _, property := range m.set {
		if property.which == p {
			return true
		}
	}
	return false
}

// Every way to publish puts the bytes of testdata/wire.golden on the wire, a
// message a line: no property, each alone, all that amqp091-go has, all.
func TestWireGolden(t *testing.T) {
	const file = "testdata/wire.golden"
	messages := []goldenMessage{{name: "none"}}
	var most []property
	for _, p := range properties {
		messages = append(messages, goldenMessage{p.name, []property{p}})
		if p.which != newapi.PropertyClusterId {
			most = append(most, p)
		}
	}
	messages = append(messages, goldenMessage{"all-of-amqp091-go", most}, goldenMessage{"all", properties})

	publishers := goldenPublishers(t, amqptest.NewServer(t).URL())
	sentBy := func(p goldenPublisher, m goldenMessage) []byte {
		t.Helper()
		var s plain
		for _, property := range m.set {
			property.setField(&s)
		}
		p.wire.take()
		if err := p.publish(s, m.set); err != nil {
			t.Fatalf("%s, %s: %v", p.name, m.name, err)
		}
		return p.wire.take()
	}

	if *update {
		var golden bytes.Buffer
		for _, m := range messages {
			fmt.Fprintf(&golden, "%s %x\n", m.name, sentBy(publishers[0], m))
		}
		if err := os.WriteFile(file, golden.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	if len(lines) != len(messages) {
		t.Fatalf("%s has %d messages, want %d", file, len(lines), len(messages))
	}
	for i, m := range messages {
		name, encoded, _ := strings.Cut(lines[i], " ")
		want, err := hex.DecodeString(encoded)
		if err != nil || name != m.name {
			t.Fatalf("%s, line %d: %q, error %v; want %q", file, i+1, name, err, m.name)
		}
		for _, p := range publishers {
			if m.has(p.cannot) {
				continue
			}
			if got := sentBy(p, m); !bytes.Equal(got, want) {
				t.Errorf("%s: %s sent\n%x\nwant\n%x", m.name, p.name, got, want)
			}
		}
	}
}
