package newapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// rest reads what comes until the transport is closed and names the methods.
func (p *peer) rest() string {
	p.tb.Helper()
	var names []string
	for {
		f, err := p.read()
		if err != nil {
			return strings.Join(names, " ")
		}
		id, _, err := wire.ParseMethodID(f.Payload)
		if f.Type != wire.FrameMethod || err != nil {
			p.tb.Fatalf("peer: frame of type %d with % x", f.Type, f.Payload)
		}
		names = append(names, id.String())
	}
}

// However the two sides' closes and nonsense cross each other, what is sent is at
// most one connection.close, then at most one close-ok, and nothing more.
func TestOneCloseAndOneCloseOk(t *testing.T) {
	garbage := func(p *peer) { p.writeRaw([]byte{42, 0, 0, 0, 0, 0, 0, wire.FrameEnd}) }
	protocol := func(p *peer) { p.write(0, &wire.ConnectionTune{}) } // not what anybody asked for
	closes := func(p *peer) { p.write(0, &wire.ConnectionClose{ReplyCode: ConnectionForced, ReplyText: "bye"}) }
	closeOk := func(p *peer) { p.write(0, &wire.ConnectionCloseOk{}) }
	for _, test := range []struct {
		name     string
		ourClose bool // before what follows
		peer     []func(*peer)
		sent     string // after our close
		code     int    // of NotifyClose; 0: graceful
	}{
		{"ours, answered", true, []func(*peer){closeOk}, "", 0},
		{"ours, answered twice", true, []func(*peer){closeOk, closeOk}, "", 0},
		{"ours, then garbage", true, []func(*peer){garbage}, "", FrameError},
		{"ours, then theirs", true, []func(*peer){closes}, "connection.close-ok", ConnectionForced},
		{"ours, then theirs twice", true, []func(*peer){closes, closes}, "connection.close-ok", ConnectionForced},
		{"ours, then theirs and its answer", true, []func(*peer){closes, closeOk}, "connection.close-ok", ConnectionForced},
		{"ours, then a wrong answer and the right one", true, []func(*peer){protocol, closeOk}, "", 0},
		{"theirs", false, []func(*peer){closes}, "connection.close-ok", ConnectionForced},
		{"theirs, then an answer to nothing", false, []func(*peer){closes, closeOk}, "connection.close-ok", ConnectionForced},
		{"theirs twice", false, []func(*peer){closes, closes}, "connection.close-ok", ConnectionForced},
		{"an answer to nothing", false, []func(*peer){closeOk}, "connection.close", CommandInvalid},
		{"garbage", false, []func(*peer){garbage}, "connection.close", FrameError},
		{"garbage, then theirs", false, []func(*peer){garbage, closes}, "connection.close", FrameError},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			connClosed, chClosed := conn.NotifyClose(make(chan *Error, 1)), ch.NotifyClose(make(chan *Error, 1))
			closing := make(chan error, 1)
			if test.ourClose {
				go func() { closing <- conn.Close() }()
				method[*wire.ConnectionClose](p)
			}
			for _, say := range test.peer {
				say(p)
			}
			if sent := p.rest(); sent != test.sent {
				t.Errorf("sent %q, want %q", sent, test.sent)
			}
			for what, c := range map[string]chan *Error{"connection": connClosed, "channel": chClosed} {
				e, _ := next(t, "NotifyClose of the "+what, c)
				if e == nil && test.code != 0 || e != nil && e.Code != test.code {
					t.Errorf("NotifyClose of the %s: %v, want code %d", what, e, test.code)
				}
			}
			if test.ourClose {
				if err, _ := next(t, "Close", closing); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
		})
	}
}

// A channel.close-ok is an answer: without a question the peer breaks the protocol.
func TestChannelCloseOkUnasked(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	closed := conn.NotifyClose(make(chan *Error, 1))
	p.write(1, &wire.ChannelCloseOk{})
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != CommandInvalid {
		t.Errorf("NotifyClose: %v, want code %d", e, CommandInvalid)
	}
	if !ch.IsClosed() {
		t.Error("the channel is open")
	}
}

// Nothing but close-ok comes after a close, whatever is called meanwhile.
func TestCallsAfterHangUpSendNothing(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.confirming(conn)
	result := make(chan error, 1)
	go func() { result <- conn.Close() }()
	method[*wire.ConnectionClose](p)
	for name, call := range map[string]func() error{
		"publish":  func() error { return BasicPublish(bg, ch, "", "k", BasicProperties{}, nil) },
		"deferred": func() error { _, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil); return err },
		"Ack":      func() error { return ch.Ack(1, false) },
		"Qos":      func() error { return ch.Qos(1, 0, false) },
		"Channel":  func() error { _, err := conn.Channel(); return err },
	} {
		if err := call(); err != ErrClosed {
			t.Errorf("%s: %v, want ErrClosed", name, err)
		}
	}
	p.write(0, &wire.ConnectionCloseOk{})
	if sent := p.rest(); sent != "" {
		t.Errorf("sent %q after connection.close", sent)
	}
	if err, _ := next(t, "Close", result); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// Both sides close a channel at once, and its id is in use again before the broker's
// answer comes, which is no fault of the next channel.
func TestClosesOfAChannelThatCross(t *testing.T) {
	conn, p := newPeer(t, Config{ChannelMax: 1})
	ch := p.channel(conn)
	closed := ch.NotifyClose(make(chan *Error, 1))
	result := make(chan error, 1)
	go func() { result <- ch.Close() }()
	method[*wire.ChannelClose](p)
	p.write(1, &wire.ChannelClose{ReplyCode: NotFound, ReplyText: "no exchange"})
	method[*wire.ChannelCloseOk](p)
	if e, _ := next(t, "NotifyClose", closed); e == nil || e.Code != NotFound {
		t.Errorf("NotifyClose: %v, want code %d", e, NotFound)
	}
	if err, _ := next(t, "Close", result); !errors.As(err, new(*Error)) {
		t.Errorf("Close: %v, want what the broker said", err)
	}
	opened := make(chan *Channel, 1)
	go func() {
		ch, err := conn.Channel()
		if err != nil {
			t.Errorf("Channel: %v", err)
		}
		opened <- ch
	}()
	method[*wire.ChannelOpen](p)
	p.write(1, &wire.ChannelCloseOk{}) // of the last one, before it read channel.open
	p.write(1, &wire.ChannelOpenOk{})
	second, _ := next(t, "Channel", opened)
	if err := BasicPublish(bg, second, "", "k", BasicProperties{}, nil); err != nil {
		t.Error(err)
	}
	p.message()
}
