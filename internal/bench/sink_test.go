package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// dialSession returns a client of a sink session in this process, and what the
// session ends with.
func dialSession(t *testing.T) (client net.Conn, ended <-chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		defer server.Close()
		done <- (&session{conn: server}).serve()
	}()
	t.Cleanup(func() { client.Close() })
	return client, done
}

// openSession opens amqp091-go's connection and channel over client.
func openSession(t *testing.T, client net.Conn) (*amqp.Connection, *amqp.Channel) {
	t.Helper()
	conn, err := amqp.Open(client, amqp.Config{SASL: login, Vhost: "/"})
	if err != nil {
		t.Fatal(err)
	}
	ch, err := conn.Channel()
	if err != nil {
		t.Fatal(err)
	}
	return conn, ch
}

func publishOne(t *testing.T, ch *amqp.Channel, exchange string, body []byte) {
	t.Helper()
	//amqpfix:ignore publish the sink is tested with another client
	err := ch.PublishWithContext(context.Background(), exchange, routingKey, false, false, fullPublishing(headers, body))
	if err != nil {
		t.Fatal(err)
	}
}

func TestSinkCountsWhatIsSent(t *testing.T) {
	client, ended := dialSession(t)
	counter := new(writeCounter)
	conn, ch := openSession(t, countedConn{client, counter})
	bodies := []int{0, 1, 32, sinkFrameMax - 8, sinkFrameMax - 7, 1 << 20}
	before, err := atSink(ch)
	if err != nil {
		t.Fatal(err)
	}
	written := counter.octets.Load()
	frames := 1 // the question
	for _, size := range bodies {
		publishOne(t, ch, exchange, make([]byte, size))
		frames += 2 + (size+sinkFrameMax-9)/(sinkFrameMax-8)
	}
	after, err := atSink(ch)
	if err != nil {
		t.Fatal(err)
	}
	want := tally{uint64(len(bodies)), uint64(frames), counter.octets.Load() - written}
	if got := after.minus(before); got != want {
		t.Errorf("counted %v, sent %v", got, want)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// opened is what a client sends up to its open channel 1.
func opened() []byte {
	b := append([]byte(nil), protocolHeader...)
	b = appendMethod(b, 0, 10, 11)
	b = appendMethod(b, 0, 10, 31)
	b = appendMethod(b, 0, 10, 40)
	return appendMethod(b, 1, 20, 10)
}

func publishFrame(channel uint16, exchange string) []byte {
	arguments := append([]byte{0, 0}, shortstr(exchange)...)
	arguments = append(append(arguments, shortstr(routingKey)...), 0)
	return appendMethod(nil, channel, classBasic, 40, arguments...)
}

var noProperties = []byte{0, 0}

func message(size int) []byte {
	return append(publishFrame(1, exchange), appendContent(nil, 1, noProperties, make([]byte, size))...)
}

var hangUp = appendMethod(nil, 0, 10, 50)

// talk sends what and returns what comes back, and how the session ended.
func talk(t *testing.T, send func(net.Conn) error) (answers []byte, end error) {
	t.Helper()
	client, ended := dialSession(t)
	sent := make(chan error, 1)
	go func() { sent <- send(client) }()
	answers, _ = io.ReadAll(client) // a session that refuses may reset the connection
	if err := <-ended; err != nil {
		<-sent
		return answers, err
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	return answers, nil
}

func sendAll(b []byte) func(net.Conn) error {
	return func(c net.Conn) error {
		_, err := c.Write(b)
		return err
	}
}

func TestSinkTakesFramesHoweverTheyArrive(t *testing.T) {
	all := opened()
	for _, size := range []int{0, 3, 40} {
		all = append(all, message(size)...)
	}
	all = appendMethod(all, 1, 50, 10) // queue.declare
	all = append(all, hangUp...)
	whole, err := talk(t, sendAll(all))
	if err != nil {
		t.Fatal(err)
	}
	if want := (tally{3, 13, uint64(len(all) - len(protocolHeader) - len(hangUp))}).name(); !bytes.Contains(whole, shortstr(want)) {
		t.Errorf("no tally %s in %q", want, whole)
	}
	pieces, err := talk(t, func(c net.Conn) error {
		for i := range all {
			if _, err := c.Write(all[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(pieces, whole) {
		t.Errorf("answers to octets one by one:\n%q\nwant:\n%q", pieces, whole)
	}
}

func TestSinkRefuses(t *testing.T) {
	withFrame := func(frame []byte) []byte { return append(opened(), frame...) }
	head := func(kind byte, channel uint16, size int) []byte { return appendFrameHead(nil, kind, channel, size) }
	badEnd := message(1)
	badEnd[len(badEnd)-1] = 0xcd
	otherChannel := append(publishFrame(1, exchange), appendContent(nil, 2, noProperties, nil)...)
	for _, test := range []struct {
		name string
		sent []byte
		want string
	}{
		{"another protocol", []byte("GET / HTTP/1.1\r\n\r\n"), "greeted"},
		{"a wrong frame end", withFrame(badEnd), "ends with 0xcd"},
		{"a frame above frame_max", withFrame(head(frameBody, 1, sinkFrameMax)), "above frame_max"},
		{"an unknown kind of frame", withFrame(append(head(9, 1, 0), frameEnd)), "of type 9"},
		{"a method cut short", withFrame(append(head(frameMethod, 1, 2), 0, 10, frameEnd)), "a method"},
		{"a method in the middle of a message", withFrame(append(publishFrame(1, exchange), publishFrame(1, exchange)...)), "in the middle"},
		{"a content header without a method", withFrame(appendContent(nil, 1, noProperties, nil)), "a content header"},
		{"a second content header", withFrame(append(message(0), appendContent(nil, 1, noProperties, nil)...)), "a content header"},
		{"a body without a header", withFrame(append(publishFrame(1, exchange), append(head(frameBody, 1, 1), 'x', frameEnd)...)), "a body frame"},
		{"a body longer than announced", withFrame(append(message(0), append(head(frameBody, 1, 1), 'x', frameEnd)...)), "a body frame"},
		{"content on another channel", withFrame(otherChannel), "on channel 2"},
		{"a publish on a channel that is not open", withFrame(publishFrame(2, exchange)), "a publish on channel 2"},
		{"a publish cut short", withFrame(appendMethod(nil, 1, classBasic, 40, 0, 0, 200, 'x')), "cut short"},
		{"a publish with more behind it", withFrame(appendMethod(nil, 1, classBasic, 40, 0, 0, 0, 0, 0, 0, 0)), "routing key and flags"},
		{"a second channel", withFrame(appendMethod(nil, 2, 20, 10)), "channel 2 beside channel 1"},
		{"a method that it does not have", withFrame(appendMethod(nil, 1, 90, 10)), "method 10 of class 90"},
		{"an echo without a consumer", withFrame(publishFrame(1, echoExchange)), "without a consumer"},
		{"a consumer cut short", withFrame(appendMethod(nil, 1, classBasic, 20, 0)), "EOF"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := talk(t, sendAll(test.sent)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the session ended with %v, want %s", err, test.want)
			}
		})
	}
}

func TestSinkEndsWithItsClient(t *testing.T) {
	client, ended := dialSession(t)
	if _, err := client.Write(opened()); err != nil {
		t.Fatal(err)
	}
	client.Close()
	if err := <-ended; err == nil {
		t.Error("a client that left without a word was no error")
	}
}

// ackTags returns the tags of the acknowledgements among frames, all of which must
// be multiple.
func ackTags(t *testing.T, frames []byte) (tags []uint64) {
	t.Helper()
	for len(frames) > 0 {
		size := frameHead + int(binary.BigEndian.Uint32(frames[3:])) + 1
		if arguments := frames[frameHead:size]; binary.BigEndian.Uint32(arguments) == classBasic<<16|80 {
			if arguments[12] != 1 {
				t.Fatalf("an acknowledgement of one message: %v", arguments)
			}
			tags = append(tags, binary.BigEndian.Uint64(arguments[4:]))
		}
		frames = frames[size:]
	}
	return tags
}

func TestSinkAcknowledgesEverything(t *testing.T) {
	const n = 3*sinkAckEvery + 5
	all := appendMethod(opened(), 1, 85, 10) // confirm.select
	for i := 0; i < n; i++ {
		all = append(all, message(1)...)
	}
	answers, err := talk(t, sendAll(append(all, hangUp...)))
	if err != nil {
		t.Fatal(err)
	}
	tags := ackTags(t, answers)
	var last uint64
	for _, tag := range tags {
		if tag <= last || tag > last+sinkAckEvery {
			t.Errorf("acknowledged %d after %d", tag, last)
		}
		last = tag
	}
	if last != n {
		t.Errorf("of %d messages %d were acknowledged, by %v", n, last, tags)
	}
}

func TestSinkAcknowledgesOneAtATime(t *testing.T) {
	client, _ := dialSession(t)
	conn, ch := openSession(t, client)
	defer conn.Close()
	if err := ch.Confirm(false); err != nil {
		t.Fatal(err)
	}
	publish := awaiting(peerSendDeferred(exchange, routingKey, nil))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for i := 0; i < 3; i++ {
		f, err := publish(ctx, ch)
		if err != nil || f.DeliveryTag != uint64(i+1) {
			t.Fatalf("message %d: %v", i+1, err)
		}
	}
}

func TestSinkDeliversWhatTheQueuesNameSays(t *testing.T) {
	for _, size := range []int{0, 32, sinkBlock} {
		for _, n := range []int{1, 2, 1000} {
			if n*size > 8<<20 {
				continue
			}
			client, _ := dialSession(t)
			conn, ch := openSession(t, client)
			deliveries, err := ch.Consume(fmt.Sprintf(queueFormat, n, size), consumerTag, true, false, false, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := fullPublishing(headers, nil)
			for i := 1; i <= n; i++ {
				d := <-deliveries
				if d.DeliveryTag != uint64(i) || len(d.Body) != size || d.ConsumerTag != consumerTag || d.Exchange != exchange || d.RoutingKey != routingKey ||
					d.MessageId != want.MessageId || d.Headers["trace-id"] != traceID || d.AppId != want.AppId {
					t.Fatalf("%d messages of %d octets, delivery %d: %+v", n, size, i, d)
				}
			}
			if err := ch.Cancel(consumerTag, false); err != nil {
				t.Fatal(err)
			}
			if d, more := <-deliveries; more {
				t.Errorf("one more: %+v", d)
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestSinkEchoes(t *testing.T) {
	client, _ := dialSession(t)
	conn, ch := openSession(t, client)
	defer conn.Close()
	deliveries, err := ch.Consume("replies", consumerTag, true, false, false, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, body := range []string{"", "ping", strings.Repeat("x", 200_000)} {
		publishOne(t, ch, echoExchange, []byte(body))
		d := <-deliveries
		if string(d.Body) != body || d.DeliveryTag != uint64(i+1) || d.RoutingKey != routingKey || d.CorrelationId != fullPublishing(nil, nil).CorrelationId {
			t.Errorf("echo of %d octets: %d octets, tag %d, key %q", len(body), len(d.Body), d.DeliveryTag, d.RoutingKey)
		}
	}
}

func TestParseTally(t *testing.T) {
	want := tally{1, 22, 333}
	if got, err := parseTally(want.name()); err != nil || got != want {
		t.Errorf("%q is %v, %v", want.name(), got, err)
	}
	if _, err := parseTally("amq.gen-x"); err == nil || !strings.Contains(err.Error(), "amq.gen-x") {
		t.Errorf("another queue's name: %v", err)
	}
}

func TestSinkProcess(t *testing.T) {
	p, err := startSink()
	if err != nil {
		t.Fatal(err)
	}
	secure, err := p.tlsEndpoint()
	if err != nil {
		t.Error(errors.Join(err, p.Close()))
		return
	}
	for _, e := range []endpoint{p.endpoint(), secure} {
		to, err := dialPeer(e)
		if err != nil {
			t.Errorf("%s: %v", e.url, err)
			continue
		}
		if _, err := atSink(to.channel); err != nil {
			t.Errorf("%s: %v", e.url, err)
		}
		if err := to.conn.Close(); err != nil {
			t.Errorf("%s: %v", e.url, err)
		}
	}
	start := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > sinkPatience/2 {
		t.Errorf("closing took %v", took)
	}
	if _, err := dialPeer(p.endpoint()); err == nil {
		t.Error("a closed sink still listens")
	}
}
