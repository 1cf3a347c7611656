package amqptest_test

import (
	"encoding/binary"
	"strings"
	"testing"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// method encodes a method frame, or fails with the programmer's error it is.
func method(channel uint16, m wire.Method) []byte {
	frame, err := wire.AppendMethod(nil, channel, m)
	if err != nil {
		panic(err)
	}
	return frame
}

func frame(typ uint8, channel uint16, payload string) []byte {
	return wire.AppendFrame(nil, typ, channel, []byte(payload))
}

func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// methodFrame encodes a method by its numbers.
func methodFrame(channel, class, id uint16, arguments string) []byte {
	payload := binary.BigEndian.AppendUint16(nil, class)
	payload = binary.BigEndian.AppendUint16(payload, id)
	return wire.AppendFrame(nil, wire.FrameMethod, channel, append(payload, arguments...))
}

// headerFrame encodes a content header by its parts.
func headerFrame(channel, class, weight uint16, size uint64, properties string) []byte {
	payload := binary.BigEndian.AppendUint16(nil, class)
	payload = binary.BigEndian.AppendUint16(payload, weight)
	payload = binary.BigEndian.AppendUint64(payload, size)
	return wire.AppendFrame(nil, wire.FrameHeader, channel, append(payload, properties...))
}

// setByte returns b with its octet i, counted from the end if negative, set.
func setByte(b []byte, i int, octet byte) []byte {
	if i < 0 {
		i += len(b)
	}
	b[i] = octet
	return b
}

var (
	publishMethod = method(1, &wire.BasicPublish{RoutingKey: "q"})
	qosMethod     = method(1, &wire.BasicQos{})
)

func TestHostileFramesEndTheConnectionWithTheRightCode(t *testing.T) {
	server := amqptest.NewServer(t)
	tests := []struct {
		name  string
		input []byte
		code  uint16
		text  string // that the reply text contains
		id    wire.MethodID
	}{
		{"wrong frame end", setByte(method(1, &wire.BasicQos{}), -1, 0xCF), amqp091.FrameError, "0xcf", 0},
		{"unknown frame type", frame(7, 1, "abc"), amqp091.FrameError, "type 7", 0},
		{"frame above frame_max", wire.AppendFrameHeader(nil, wire.FrameBody, 1, 131072-7), amqp091.FrameError, "131073 octets", 0},
		{"frame of four gigabytes", []byte("\x03\x00\x01\xff\xff\xff\xff"), amqp091.FrameError, "4294967303 octets", 0},
		{"heartbeat on a channel", frame(wire.FrameHeartbeat, 1, ""), amqp091.FrameError, "heartbeat", 0},
		{"heartbeat with a payload", frame(wire.FrameHeartbeat, 0, "xx"), amqp091.FrameError, "heartbeat", 0},
		{"another protocol in the middle", []byte("GET / HTTP/1.1\r\n\r\n"), amqp091.FrameError, "type 71", 0},

		{"method too short for its number", frame(wire.FrameMethod, 1, "\x00\x3c\x00"), amqp091.SyntaxError, "", 0},
		{"unknown method", methodFrame(1, 60, 999, ""), amqp091.CommandInvalid, "", 60<<16 | 999},
		{"unknown class", methodFrame(1, 99, 10, ""), amqp091.CommandInvalid, "", 99<<16 | 10},
		{"arguments cut short", methodFrame(1, 50, 10, "\x00\x00\x20abc"), amqp091.SyntaxError, "", wire.IDQueueDeclare},
		{"octets after the arguments", methodFrame(1, 60, 10, "\x00\x00\x00\x00\x00\x05\x00zzz"), amqp091.SyntaxError, "", wire.IDBasicQos},
		{"table cut short", methodFrame(1, 50, 10, "\x00\x00\x01q\x00\x00\x00\x00\x05\x01aI\x00\x00"), amqp091.SyntaxError, "", wire.IDQueueDeclare},
		{"method of the server", method(1, &wire.BasicDeliver{}), amqp091.CommandInvalid, "unimplemented method", wire.IDBasicDeliver},
		{"channel.close-ok unasked", method(1, &wire.ChannelCloseOk{}), amqp091.CommandInvalid, "unimplemented method", wire.IDChannelCloseOk},
		{"channel.flow-ok unasked", method(1, &wire.ChannelFlowOk{Active: true}), amqp091.CommandInvalid, "unimplemented method", wire.IDChannelFlowOk},

		{"method on a channel that is not open", method(3, &wire.BasicQos{}), amqp091.ChannelError, "expected 'channel.open'", wire.IDBasicQos},
		{"content on a channel that is not open", frame(wire.FrameBody, 3, "no method"), amqp091.ChannelError, "expected 'channel.open'", 0},
		{"channel opened twice", method(1, &wire.ChannelOpen{}), amqp091.ChannelError, "second 'channel.open' seen", wire.IDChannelOpen},
		{"channel above channel_max", method(2048, &wire.ChannelOpen{}), amqp091.NotAllowed, "channel number 2048", wire.IDChannelOpen},
		{"connection method on a channel", method(1, &wire.ConnectionClose{}), amqp091.CommandInvalid, "unimplemented method", wire.IDConnectionClose},
		{"channel method on channel 0", method(0, &wire.ChannelOpen{}), amqp091.ChannelError, "unexpected method in connection state running", wire.IDChannelOpen},
		{"second connection.open", method(0, &wire.ConnectionOpen{VirtualHost: "/"}), amqp091.ChannelError, "unexpected method in connection state running", wire.IDConnectionOpen},
		{"connection.secure-ok unasked", method(0, &wire.ConnectionSecureOk{}), amqp091.ChannelError, "unexpected method", wire.IDConnectionSecureOk},
		{"content on channel 0", frame(wire.FrameBody, 0, "x"), amqp091.UnexpectedFrame, "channel 0", 0},

		{"header without publish", headerFrame(1, 60, 0, 0, "\x00\x00"), amqp091.UnexpectedFrame, "expected method frame", 0},
		{"body without publish", frame(wire.FrameBody, 1, "abc"), amqp091.UnexpectedFrame, "expected method frame", 0},
		{"method between publish and header", join(publishMethod, qosMethod), amqp091.UnexpectedFrame, "", wire.IDBasicPublish},
		{"body between publish and header", join(publishMethod, frame(wire.FrameBody, 1, "abc")), amqp091.UnexpectedFrame, "expected content header for class 60", wire.IDBasicPublish},
		{"header of another class", join(publishMethod, headerFrame(1, 50, 0, 0, "\x00\x00")), amqp091.UnexpectedFrame, "one for class 50", wire.IDBasicPublish},
		{"header with a weight", join(publishMethod, headerFrame(1, 60, 1, 0, "\x00\x00")), amqp091.UnexpectedFrame, "weight 1", wire.IDBasicPublish},
		{"two headers", join(publishMethod, headerFrame(1, 60, 0, 5, "\x00\x00"), headerFrame(1, 60, 0, 5, "\x00\x00")), amqp091.UnexpectedFrame, "expected content body", wire.IDBasicPublish},
		{"more body than announced", join(publishMethod, headerFrame(1, 60, 0, 5, "\x00\x00"), frame(wire.FrameBody, 1, "abcdefgh")), amqp091.FrameError, "announced 5", wire.IDBasicPublish},
		{"header cut short", join(publishMethod, frame(wire.FrameHeader, 1, "\x00\x3c\x00\x00")), amqp091.SyntaxError, "", wire.IDBasicPublish},
		{"property cut short", join(publishMethod, headerFrame(1, 60, 0, 0, "\x80\x00\x20abc")), amqp091.SyntaxError, "content-type", wire.IDBasicPublish},
		{"property flags continued", join(publishMethod, headerFrame(1, 60, 0, 0, "\x00\x01")), amqp091.SyntaxError, "", wire.IDBasicPublish},
		{"octets after the properties", join(publishMethod, headerFrame(1, 60, 0, 0, "\x00\x00zz")), amqp091.SyntaxError, "2 octets after", wire.IDBasicPublish},
		{"headers with an unknown field type", join(publishMethod, headerFrame(1, 60, 0, 0, "\x20\x00\x00\x00\x00\x03\x01a?")), amqp091.SyntaxError, "", wire.IDBasicPublish},

		{"immediate", join(method(1, &wire.BasicPublish{Immediate: true}), headerFrame(1, 60, 0, 0, "\x00\x00")), amqp091.NotImplemented, "immediate=true", wire.IDBasicPublish},
		{"channel.flow off", method(1, &wire.ChannelFlow{}), amqp091.NotImplemented, "active=false", wire.IDChannelFlow},
		{"prefetch by size", method(1, &wire.BasicQos{PrefetchSize: 10}), amqp091.NotImplemented, "prefetch_size!=0 (10)", wire.IDBasicQos},
		{"recover without requeue", method(1, &wire.BasicRecover{}), amqp091.NotImplemented, "requeue=false", wire.IDBasicRecover},
	}
	t.Run("all at once", func(t *testing.T) {
		for _, tt := range tests {
			tt := tt
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				c := openRaw(t, server.Addr())
				c.write(tt.input)
				reply := expect[*wire.ConnectionClose](c, 0)
				if reply.ReplyCode != tt.code || !strings.Contains(reply.ReplyText, tt.text) {
					t.Errorf("connection.close %d %q, want %d with %q", reply.ReplyCode, reply.ReplyText, tt.code, tt.text)
				}
				if got := wire.MethodID(reply.ClassID)<<16 | wire.MethodID(reply.MethodID); got != tt.id {
					t.Errorf("connection.close blames %v, want %v", got, tt.id)
				}
				c.send(0, &wire.ConnectionCloseOk{})
				c.expectEnd()
			})
		}
	})

	// After all that, the server serves on.
	c := openRaw(t, server.Addr())
	c.publish(1, "", "nowhere", "still alive")
	c.send(1, &wire.ChannelClose{ReplyCode: 200})
	expect[*wire.ChannelCloseOk](c, 1)
	published := server.Published()
	if len(published) == 0 || string(published[len(published)-1].Body) != "still alive" {
		t.Errorf("%d publishes recorded, the last one is not the one just made", len(published))
	}
}

func TestHandshakeMistakes(t *testing.T) {
	server := amqptest.NewServer(t)
	with := func(change func(*wire.ConnectionStartOk)) *wire.ConnectionStartOk {
		m := startOk()
		change(m)
		return m
	}
	tests := []struct {
		name    string
		methods []wire.Method // after the protocol header
		code    uint16
		text    string
	}{
		{"tune-ok first", []wire.Method{&wire.ConnectionTuneOk{}}, amqp091.ChannelError, "connection state starting"},
		{"open before tune-ok", []wire.Method{startOk(), &wire.ConnectionOpen{}}, amqp091.ChannelError, "connection state tuning"},
		{"unknown mechanism", []wire.Method{with(func(m *wire.ConnectionStartOk) { m.Mechanism = "EXTERNAL" })}, amqp091.CommandInvalid, "EXTERNAL"},
		{"malformed PLAIN", []wire.Method{with(func(m *wire.ConnectionStartOk) { m.Response = "guest" })}, amqp091.AccessRefused, "mechanism PLAIN"},
		{"malformed AMQPLAIN", []wire.Method{with(func(m *wire.ConnectionStartOk) { m.Mechanism = "AMQPLAIN" })}, amqp091.AccessRefused, "mechanism AMQPLAIN"},
		{"frame_max above the offer", []wire.Method{startOk(), &wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 131073}}, amqp091.NotAllowed, "frame_max = 131073 is higher"},
		{"frame_max below the minimum", []wire.Method{startOk(), &wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 4095}}, amqp091.NotAllowed, "frame_max = 4095 is lower"},
		{"no frame_max", []wire.Method{startOk(), &wire.ConnectionTuneOk{ChannelMax: 1}}, amqp091.NotAllowed, "frame_max = 0 (no limit)"},
		{"channel_max above the offer", []wire.Method{startOk(), &wire.ConnectionTuneOk{ChannelMax: 2048, FrameMax: 4096}}, amqp091.NotAllowed, "channel_max = 2048 is higher"},
	}
	for _, tt := range tests {
		tt := tt
		t.Run(tt.name, func(t *testing.T) {
			c := dialRaw(t, server.Addr())
			c.write([]byte(wire.ProtocolHeader))
			expect[*wire.ConnectionStart](c, 0)
			for i, m := range tt.methods {
				if i == 1 {
					expect[*wire.ConnectionTune](c, 0)
				}
				c.send(0, m)
			}
			reply := expect[*wire.ConnectionClose](c, 0)
			if reply.ReplyCode != tt.code || !strings.Contains(reply.ReplyText, tt.text) {
				t.Errorf("connection.close %d %q, want %d with %q", reply.ReplyCode, reply.ReplyText, tt.code, tt.text)
			}
			c.send(0, &wire.ConnectionCloseOk{})
			c.expectEnd()
		})
	}
}

func TestAnotherProtocolIsAnsweredWithOurs(t *testing.T) {
	server := amqptest.NewServer(t)
	for _, header := range []string{"HTTP/1.1", "AMQP\x03\x01\x00\x00", "AMQP\x01\x01\x00\x0a"} {
		c := dialRaw(t, server.Addr())
		c.write([]byte(header))
		answer := make([]byte, 8)
		if _, err := c.socket.Read(answer); err != nil || string(answer) != wire.ProtocolHeader {
			t.Errorf("%q: answered %q, %v, want %q", header, answer, err, wire.ProtocolHeader)
		}
		c.expectEnd()
	}
}

func TestChannelOpenBeforeConnectionOpen(t *testing.T) {
	server := amqptest.NewServer(t)
	c := dialRaw(t, server.Addr())
	c.write([]byte(wire.ProtocolHeader))
	expect[*wire.ConnectionStart](c, 0)
	c.send(1, &wire.ChannelOpen{})
	if reply := expect[*wire.ConnectionClose](c, 0); reply.ReplyCode != amqp091.UnexpectedFrame {
		t.Errorf("connection.close %d %q, want 505", reply.ReplyCode, reply.ReplyText)
	}
}

func TestEmptyBodyFramesAndHeartbeatsBetweenContentFramesAreTaken(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	c.write(join(publishMethod,
		wire.AppendHeartbeat(nil),
		headerFrame(1, 60, 0, 5, "\x00\x00"),
		frame(wire.FrameBody, 1, ""),
		frame(wire.FrameBody, 1, "ab"),
		wire.AppendHeartbeat(nil),
		frame(wire.FrameBody, 1, "cde")))
	published := waitPublished(t, server, 1)
	if got := string(published[0].Body); got != "abcde" {
		t.Errorf("body %q, want abcde", got)
	}
}

func TestContentsOfTwoChannelsMayMix(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	c.openChannel(2)
	c.write(join(
		method(1, &wire.BasicPublish{RoutingKey: "one"}),
		method(2, &wire.BasicPublish{RoutingKey: "two"}),
		headerFrame(2, 60, 0, 4, "\x00\x00"),
		headerFrame(1, 60, 0, 4, "\x00\x00"),
		frame(wire.FrameBody, 1, "a1"),
		frame(wire.FrameBody, 2, "a2b2"),
		frame(wire.FrameBody, 1, "b1")))
	published := waitPublished(t, server, 2)
	for i, want := range []struct {
		channel   uint16
		key, body string
	}{{2, "two", "a2b2"}, {1, "one", "a1b1"}} {
		p := published[i]
		if p.Channel != want.channel || p.RoutingKey != want.key || string(p.Body) != want.body {
			t.Errorf("publish %d: channel %d, key %q, body %q, want %+v", i, p.Channel, p.RoutingKey, p.Body, want)
		}
	}
}

func TestBodiesAreBoundedWithoutBeingAllocated(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	for _, size := range []uint64{134217729, 1 << 63, 1<<64 - 1} {
		c.write(join(publishMethod, headerFrame(1, 60, 0, size, "\x00\x00"), frame(wire.FrameBody, 1, "ignored")))
		reply := expect[*wire.ChannelClose](c, 1)
		if reply.ReplyCode != amqp091.PreconditionFailed || !strings.Contains(reply.ReplyText, "larger than configured max size 134217728") {
			t.Errorf("size %d: channel.close %d %q, want 406", size, reply.ReplyCode, reply.ReplyText)
		}
		c.send(1, &wire.ChannelCloseOk{})
		c.openChannel(1)
	}

	server.LimitMessageSize(3)
	c.publish(1, "", "q", "abc")
	c.publish(1, "", "q", "abcd")
	if reply := expect[*wire.ChannelClose](c, 1); reply.ReplyText != "PRECONDITION_FAILED - message size 4 is larger than configured max size 3" {
		t.Errorf("channel.close %q", reply.ReplyText)
	}
	if n := len(server.Published()); n != 1 {
		t.Errorf("%d publishes recorded, want the one within the limit", n)
	}
}

func TestAClosingChannelIgnoresAllButTheEndOfTheHandshake(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	c.send(1, &wire.BasicAck{DeliveryTag: 1})
	expect[*wire.ChannelClose](c, 1)
	c.publish(1, "", "q", "lost")
	c.send(1, &wire.QueueDeclare{Queue: "q"})
	c.send(1, &wire.ChannelClose{ReplyCode: 200}) // at the same time, the client closes
	expect[*wire.ChannelCloseOk](c, 1)
	c.send(1, &wire.ChannelCloseOk{})
	c.openChannel(1)
	if len(server.Published()) != 0 || len(server.QueueNames()) != 0 {
		t.Error("a closing channel took a publish or a declaration")
	}
}

func TestAnUnansweredConnectionCloseEndsAllTheSame(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	c.write(frame(7, 0, ""))
	expect[*wire.ConnectionClose](c, 0)
	c.expectEnd()
}
