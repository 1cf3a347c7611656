package amqptest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/internal/brokertest"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func startProxy(t *testing.T, url string) *amqptest.Proxy {
	t.Helper()
	proxy, err := amqptest.StartProxy(url)
	must(t, err)
	t.Cleanup(func() { proxy.Close() })
	return proxy
}

// waitProxied waits for n publishes.
func waitProxied(t *testing.T, proxy *amqptest.Proxy, n int) []amqptest.Published {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	published, err := proxy.WaitPublished(ctx, n)
	must(t, err)
	return published
}

func TestProxyRecordsWhatTheBrokerGets(t *testing.T) {
	server := amqptest.NewServer(t)
	recordsThroughProxy(t, server.URL())
}

func TestProxyBeforeRabbitMQ(t *testing.T) {
	recordsThroughProxy(t, brokertest.URL(t))
}

// recordsThroughProxy publishes on two connections with two channels each, in
// one frame and in many, and gets one of the messages back from the broker.
func recordsThroughProxy(t *testing.T, brokerURL string) {
	proxy := startProxy(t, brokerURL)
	large := strings.Repeat("0123456789", 50000)
	var want []string
	for connection := 1; connection <= 2; connection++ {
		c := dial(t, proxy.URL())
		for channel := 1; channel <= 2; channel++ {
			ch := channelOf(t, c)
			must(t, ch.Confirm(false))
			for _, body := range []string{"", "small", large} {
				//amqpfix:ignore publish amqp091-go is the peer of this test
				dc, err := ch.PublishWithDeferredConfirm("amq.fanout", "key", true, false, amqp091.Publishing{Type: "t", Body: []byte(body)})
				must(t, err)
				dc.Wait()
				want = append(want, fmt.Sprintf("%d/%d amq.fanout key t %d", connection, channel, len(body)))
			}
		}
	}
	// All were confirmed, so all are recorded.
	var got []string
	for _, p := range proxy.Published() {
		got = append(got, fmt.Sprintf("%d/%d %s %s %s %d", p.Connection, p.Channel, p.Exchange, p.RoutingKey, p.Properties.Type(), len(p.Body)))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	must(t, proxy.Err())

	proxy.Reset()
	ch := channelOf(t, dial(t, proxy.URL()))
	q, err := ch.QueueDeclare("", false, false, true, false, nil)
	must(t, err)
	publish(t, ch, "", q.Name, large)
	if d := receive(t, consume(t, ch, q.Name, "", true)); string(d.Body) != large {
		t.Errorf("the broker gave back %d octets", len(d.Body))
	}
	if p := waitProxied(t, proxy, 1); len(p) != 1 || string(p[0].Body) != large {
		t.Errorf("%d publishes after Reset", len(p))
	}
	must(t, proxy.Err())
}

func TestProxyAndServerRecordTheSame(t *testing.T) {
	server := amqptest.NewServer(t)
	proxy := startProxy(t, server.URL())
	ch := channelOf(t, dial(t, proxy.URL()))
	for i := 0; i < 5; i++ {
		publishMessage(t, ch, "", "q", amqp091.Publishing{
			Priority: uint8(i), Headers: table{"i": int64(i)}, Body: []byte(fmt.Sprint(i)),
		})
	}
	if diffs := amqptest.Diff(waitPublished(t, server, 5), waitProxied(t, proxy, 5)); len(diffs) > 0 {
		t.Errorf("the recordings differ: %v", diffs)
	}
}

func TestProxyURLKeepsAllButTheAddress(t *testing.T) {
	proxy := startProxy(t, "amqp://alice:p%40ss@broker.example/shop%2F1?heartbeat=3")
	host := strings.TrimSuffix(strings.TrimPrefix(proxy.URL(), "amqp://alice:p%40ss@"), "/shop%2F1?heartbeat=3")
	if !strings.HasPrefix(host, "127.0.0.1:") {
		t.Errorf("URL %s", proxy.URL())
	}
}

func TestProxyRefusesWhatItCannotRead(t *testing.T) {
	for _, url := range []string{"amqps://broker.example/", "http://broker.example/", "://", ""} {
		proxy, err := amqptest.StartProxy(url)
		if err == nil {
			t.Errorf("StartProxy(%q) succeeded", url)
			proxy.Close()
		}
	}
}

func TestProxyReportsABrokerItCannotReach(t *testing.T) {
	server := amqptest.NewServer(t)
	proxy := startProxy(t, server.URL())
	must(t, proxy.Err())
	must(t, server.Close())
	c := dialRaw(t, strings.TrimSuffix(strings.TrimPrefix(proxy.URL(), "amqp://guest:guest@"), "/"))
	if _, err := c.frame(); !errors.Is(err, io.EOF) {
		t.Errorf("the client saw %v, want the end of its stream", err)
	}
	if err := proxy.Err(); err == nil || !strings.Contains(err.Error(), "connection 1: broker:") {
		t.Errorf("Err() = %v", err)
	}
}

func TestProxyReportsAStreamItCannotRead(t *testing.T) {
	tests := []struct {
		name, input, want string
	}{
		{"another protocol", "GET / HTTP/1.1\r\n\r\n", `the client began with "GET / HT", not with AMQP 0-9-1`},
		{"a broken frame", wire.ProtocolHeader + "\x01\x00\x00\x00\x00\x00\x00\x00", "frame"},
		{"a content that was not announced", wire.ProtocolHeader + string(frame(wire.FrameBody, 1, "x")), "expected method frame"},
		{"a publish that does not decode", wire.ProtocolHeader + string(methodFrame(1, 60, 40, "\x00\x00\x20")), "syntax error"},
		{"properties that do not decode", wire.ProtocolHeader + string(join(publishMethod, headerFrame(1, 60, 0, 0, "\x80\x00\x20"))), "content-type"},
	}
	for _, tt := range tests {
		tt := tt
		t.Run(tt.name, func(t *testing.T) {
			server := amqptest.NewServer(t)
			proxy := startProxy(t, server.URL())
			c := dialRaw(t, strings.TrimSuffix(strings.TrimPrefix(proxy.URL(), "amqp://guest:guest@"), "/"))
			c.write([]byte(tt.input))
			for {
				if _, err := c.frame(); err != nil {
					break // the broker has seen the same and hung up
				}
			}
			if err := proxy.Err(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Err() = %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestProxyCloseEndsConnections(t *testing.T) {
	server := amqptest.NewServer(t)
	proxy := startProxy(t, server.URL())
	conn := dial(t, proxy.URL())
	closed := conn.NotifyClose(make(chan *amqp091.Error, 1))
	waiting := make(chan error)
	go func() {
		_, err := proxy.WaitPublished(context.Background(), 1)
		waiting <- err
	}()
	must(t, proxy.Close())
	receive(t, closed)
	if err := receive(t, waiting); err == nil {
		t.Error("WaitPublished of a closed proxy succeeded")
	}
	must(t, proxy.Close())
	must(t, proxy.Err()) // closing is no failure
	if _, err := amqp091.Dial(proxy.URL()); err == nil {
		t.Error("a closed proxy took a connection")
	}
}

func TestProxyPassesOnABrokersEnd(t *testing.T) {
	server := amqptest.NewServer(t)
	proxy := startProxy(t, server.URL())
	conn := dial(t, proxy.URL())
	closed := conn.NotifyClose(make(chan *amqp091.Error, 1))
	server.DropConnections()
	receive(t, closed)
	must(t, proxy.Err())
}

func TestProxyRecordsPropertiesByteForByte(t *testing.T) {
	server := amqptest.NewServer(t)
	proxy := startProxy(t, server.URL())
	properties := []byte("\x08\x00\x00") // priority 0, which a struct would leave out
	c := openRaw(t, strings.TrimSuffix(strings.TrimPrefix(proxy.URL(), "amqp://guest:guest@"), "/"))
	c.write(wire.AppendContentHeader(append([]byte{}, publishMethod...), 1, 0, properties))
	got, err := waitProxied(t, proxy, 1)[0].Properties.AppendHeader(nil)
	if err != nil || !bytes.Equal(got, properties) {
		t.Errorf("properties %q, %v, want %q", got, err, properties)
	}
}
