package newapi

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"testing"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// upstream is amqp091-go publishing into a pipe whose other end plays just
// enough of a broker to be published to. It reads frames with code of its own,
// so that what it says of the bytes does not depend on package wire.
type upstream struct {
	ch      *amqp091.Channel
	headers chan []byte // property flags and list of each message
	failed  chan error  // why headers ended
}

func dialUpstream(t testing.TB) *upstream {
	t.Helper()
	client, server := net.Pipe()
	u := &upstream{headers: make(chan []byte, 1), failed: make(chan error, 1)}
	go func() {
		u.failed <- u.serve(server)
		close(u.headers)
	}()
	conn, err := amqp091.Open(client, amqp091.Config{
		SASL:  []amqp091.Authentication{&amqp091.PlainAuth{Username: "guest", Password: "guest"}},
		Vhost: "/",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Close()
		conn.Close()
		for range u.headers {
		}
	})
	if u.ch, err = conn.Channel(); err != nil {
		t.Fatal(err)
	}
	return u
}

// publish returns the encoded properties that amqp091-go sends with p.
func (u *upstream) publish(t testing.TB, p amqp091.Publishing) []byte {
	t.Helper()
	//amqpfix:ignore publish amqp091-go is the peer of this test
	if err := u.ch.PublishWithContext(context.Background(), "", "", false, false, p); err != nil {
		t.Fatal(err)
	}
	header, ok := <-u.headers
	if !ok {
		t.Fatal(<-u.failed)
	}
	return header
}

func (u *upstream) serve(conn net.Conn) error {
	r := bufio.NewReader(conn)
	if _, err := io.CopyN(io.Discard, r, 8); err != nil { // the protocol header
		return err
	}
	start := "\x00\x0a\x00\x0a\x00\x09\x00\x00\x00\x00\x00\x00\x00\x05PLAIN\x00\x00\x00\x05en_US"
	tune := "\x00\x0a\x00\x1e\x00\x00\x00\x02\x00\x00\x00\x00"
	for _, step := range []struct {
		channel uint16
		send    string
		answers int // frames the client sends then
	}{
		{0, start, 1},
		{0, tune, 2},                   // tune-ok and open
		{0, "\x00\x0a\x00\x29\x00", 1}, // open-ok, then channel.open
		{1, "\x00\x14\x00\x0b\x00\x00\x00\x00", 0}, // channel.open-ok
	} {
		frame := []byte{1, 0, byte(step.channel), 0, 0, 0, byte(len(step.send))}
		frame = append(append(frame, step.send...), 0xce)
		if _, err := conn.Write(frame); err != nil {
			return err
		}
		for ; step.answers > 0; step.answers-- {
			if _, _, err := readFrame(r); err != nil {
				return err
			}
		}
	}
	for {
		typ, payload, err := readFrame(r)
		if err != nil {
			return err
		}
		if typ == 2 { // class, weight and body size before the properties
			u.headers <- payload[12:]
		}
	}
}

func readFrame(r io.Reader) (typ byte, payload []byte, err error) {
	var head [7]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	payload = make([]byte, binary.BigEndian.Uint32(head[3:])+1) // and the end octet
	_, err = io.ReadFull(r, payload)
	return head[0], payload[:len(payload)-1], err
}
