package amqptest

import (
	"bytes"
	"net"
	"testing"
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// memorySocket is a client whose whole stream is known and which takes
// everything it is sent.
type memorySocket struct {
	net.Conn // nil: no other method is called
	in       *bytes.Reader
	out      bytes.Buffer
}

func (s *memorySocket) Read(p []byte) (int, error)      { return s.in.Read(p) }
func (s *memorySocket) Write(p []byte) (int, error)     { return s.out.Write(p) }
func (s *memorySocket) Close() error                    { return nil }
func (s *memorySocket) SetReadDeadline(time.Time) error { return nil }

// serveMemory lets a server without a listener serve one stream to its end and
// returns what it answered.
func serveMemory(t *testing.T, s *Server, stream []byte) []byte {
	t.Helper()
	socket := &memorySocket{in: bytes.NewReader(stream)}
	c := s.connect(socket)
	c.run()
	s.running.Done()
	return socket.out.Bytes()
}

// appendMethods appends method frames.
func appendMethods(tb testing.TB, stream []byte, channel uint16, methods ...wire.Method) []byte {
	tb.Helper()
	for _, m := range methods {
		var err error
		if stream, err = wire.AppendMethod(stream, channel, m); err != nil {
			tb.Fatal(err)
		}
	}
	return stream
}

// opened is the stream of a client up to two open channels.
func opened(tb testing.TB) []byte {
	stream := appendMethods(tb, []byte(wire.ProtocolHeader), 0,
		&wire.ConnectionStartOk{
			ClientProperties: newapi.Table{"capabilities": newapi.Table{"consumer_cancel_notify": true, "connection.blocked": true}},
			Mechanism:        "PLAIN",
			Response:         "\x00guest\x00guest",
			Locale:           "en_US",
		},
		&wire.ConnectionTuneOk{ChannelMax: 3, FrameMax: 4096, Heartbeat: 60},
		&wire.ConnectionOpen{VirtualHost: "/"})
	stream = appendMethods(tb, stream, 1, &wire.ChannelOpen{})
	return appendMethods(tb, stream, 2, &wire.ChannelOpen{})
}

// seedPublish appends a publish on channel 1.
func seedPublish(tb testing.TB, stream []byte, exchange, key string, properties newapi.BasicProperties, body string) []byte {
	tb.Helper()
	stream = appendMethods(tb, stream, 1, &wire.BasicPublish{Exchange: exchange, RoutingKey: key, Mandatory: true})
	header, err := properties.AppendHeader(nil)
	if err != nil {
		tb.Fatal(err)
	}
	stream = wire.AppendContentHeader(stream, 1, uint64(len(body)), header)
	return wire.AppendBody(stream, 1, []byte(body), 20)
}

// sessions are what well-behaved clients do after opening channels, as seeds.
func sessions(tb testing.TB) [][]byte {
	dead := newapi.Table{"x-dead-letter-exchange": "x", "x-dead-letter-routing-key": "q", "x-message-ttl": int32(0), "x-max-length": int32(1)}
	routing := appendMethods(tb, nil, 1,
		&wire.ExchangeDeclare{Exchange: "x", Type: "topic", AutoDelete: true},
		&wire.ExchangeDeclare{Exchange: "y", Type: "headers", Arguments: newapi.Table{"alternate-exchange": "amq.fanout"}},
		&wire.QueueDeclare{Queue: "q", Exclusive: true},
		&wire.QueueBind{Queue: "q", Exchange: "x", RoutingKey: "a.#"},
		&wire.ExchangeBind{Destination: "y", Source: "x", RoutingKey: "*.b"},
		&wire.QueueBind{Exchange: "y", Arguments: newapi.Table{"x-match": "any", "n": int32(1)}})
	routing = seedPublish(tb, routing, "x", "a.b", newapi.BasicProperties{Headers: newapi.Table{"n": int64(1)}}, "m")
	routing = appendMethods(tb, routing, 1,
		&wire.QueueUnbind{Queue: "q", Exchange: "x", RoutingKey: "a.#"},
		&wire.ExchangeUnbind{Destination: "y", Source: "x", RoutingKey: "*.b"},
		&wire.ExchangeDelete{Exchange: "y"}, &wire.QueuePurge{Queue: "q"}, &wire.QueueDelete{Queue: "q", IfUnused: true})

	consuming := appendMethods(tb, nil, 1,
		&wire.QueueDeclare{Queue: "q", AutoDelete: true, Arguments: newapi.Table{"x-max-priority": int32(3), "x-expires": int32(9)}},
		&wire.BasicQos{PrefetchCount: 1, Global: true},
		&wire.BasicConsume{Queue: "q", ConsumerTag: "c", Arguments: newapi.Table{"x-priority": int32(1)}},
		&wire.ConfirmSelect{})
	consuming = seedPublish(tb, consuming, "", "q", newapi.BasicProperties{Priority: 2, UserId: "guest", Expiration: "9"}, "first")
	consuming = seedPublish(tb, consuming, "", "q", newapi.BasicProperties{Timestamp: time.Unix(1, 0)}, "second")
	consuming = appendMethods(tb, consuming, 1,
		&wire.BasicNack{DeliveryTag: 1, Multiple: true, Requeue: true}, &wire.BasicAck{DeliveryTag: 2},
		&wire.BasicReject{DeliveryTag: 3}, &wire.BasicRecover{Requeue: true}, &wire.BasicCancel{ConsumerTag: "c"})

	dying := appendMethods(tb, nil, 1,
		&wire.ExchangeDeclare{Exchange: "x", Type: "fanout"},
		&wire.QueueDeclare{Queue: "q", Arguments: dead}, &wire.QueueBind{Queue: "q", Exchange: "x"},
		&wire.QueueDeclare{Queue: "r", Arguments: newapi.Table{"x-dead-letter-exchange": "", "x-overflow": "reject-publish-dlx", "x-max-length-bytes": int32(1)}},
		&wire.QueueBind{Queue: "r", Exchange: "x"})
	dying = seedPublish(tb, dying, "x", "", newapi.BasicProperties{Headers: newapi.Table{"x-death": []any{newapi.Table{"queue": "q"}}}}, "m")
	dying = appendMethods(tb, dying, 1, &wire.BasicGet{Queue: "r"}, &wire.BasicReject{DeliveryTag: 1})

	replies := appendMethods(tb, nil, 1,
		&wire.BasicConsume{Queue: replyQueue, NoAck: true}, &wire.QueueDeclare{Queue: "q"}, &wire.TxSelect{})
	replies = seedPublish(tb, replies, "", "q", newapi.BasicProperties{ReplyTo: replyQueue}, "ask")
	replies = appendMethods(tb, replies, 1, &wire.TxCommit{}, &wire.BasicGet{Queue: "q"}, &wire.BasicAck{DeliveryTag: 1}, &wire.TxRollback{})

	closing := appendMethods(tb, nil, 1, &wire.ChannelFlow{Active: true}, &wire.BasicAck{DeliveryTag: 9}, &wire.ChannelCloseOk{})
	closing = appendMethods(tb, closing, 2, &wire.ChannelClose{ReplyCode: 200})
	closing = wire.AppendHeartbeat(closing)
	closing = appendMethods(tb, closing, 0, &wire.ConnectionUpdateSecret{}, &wire.ConnectionClose{ReplyCode: 200})
	return [][]byte{routing, consuming, dying, replies, closing}
}

// framed makes frames of arbitrary octets: one for type and channel, one for
// the length, then the payload. Mutations then reach what is behind the frame
// reader.
func framed(input []byte) []byte {
	types := [...]uint8{wire.FrameMethod, wire.FrameHeader, wire.FrameBody, wire.FrameHeartbeat}
	var stream []byte
	for len(input) > 2 {
		typ, channel := types[input[0]%4], uint16(input[0]/4)%4
		n := min(int(input[1]), len(input)-2)
		stream = wire.AppendFrame(stream, typ, channel, input[2:2+n])
		input = input[2+n:]
	}
	return stream
}

// unframed is the opposite of framed, for frames that it can make.
func unframed(tb testing.TB, stream []byte) []byte {
	tb.Helper()
	types := map[uint8]byte{wire.FrameMethod: 0, wire.FrameHeader: 1, wire.FrameBody: 2, wire.FrameHeartbeat: 3}
	var input []byte
	for len(stream) > 0 {
		f, n, err := wire.ParseFrame(stream, 0)
		if err != nil || n == 0 || len(f.Payload) > 255 {
			tb.Fatalf("frame of %d octets, %v", n, err)
		}
		input = append(input, types[f.Type]+4*byte(f.Channel), byte(len(f.Payload)))
		input = append(input, f.Payload...)
		stream = stream[n:]
	}
	return input
}

// FuzzServerInput sends arbitrary octets, or arbitrary frames, after a
// handshake. Whatever comes, the server answers with well-formed frames, keeps
// nothing of a connection that has ended, and closes.
func FuzzServerInput(f *testing.F) {
	for _, session := range sessions(f) {
		f.Add(session, false)
		f.Add(unframed(f, session), true)
	}
	prefix := opened(f)
	f.Fuzz(func(t *testing.T, input []byte, asFrames bool) {
		if asFrames {
			input = framed(input)
		}
		s := newServer()
		answer := serveMemory(t, s, append(prefix[:len(prefix):len(prefix)], input...))
		checkAnswer(t, answer)
		checkNothingLeft(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// checkAnswer reads what a server sent: whole frames, methods that decode,
// contents as announced.
func checkAnswer(t *testing.T, answer []byte) {
	t.Helper()
	left := make(map[uint16]uint64) // of the body, by channel
	for len(answer) > 0 {
		f, n, err := wire.ParseFrame(answer, 4096+4096) // properties may be longer than a frame: see conn.sendContent
		if err != nil || n == 0 {
			t.Fatalf("the server sent %q: %v", answer, err)
		}
		answer = answer[n:]
		switch f.Type {
		case wire.FrameMethod:
			if _, err := wire.ParseMethod(f.Payload); err != nil {
				t.Fatal(err)
			}
			if left[f.Channel] != 0 {
				t.Fatalf("a method in the middle of a content on channel %d", f.Channel)
			}
		case wire.FrameHeader:
			h, err := wire.ParseContentHeader(f.Payload)
			if err != nil {
				t.Fatal(err)
			}
			left[f.Channel] = h.BodySize
		case wire.FrameBody:
			left[f.Channel] -= uint64(len(f.Payload))
		}
	}
}

// checkNothingLeft looks for what a connection has left behind.
func checkNothingLeft(t *testing.T, s *Server) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.connections) != 0 || len(s.replies) != 0 {
		t.Errorf("%d connections and %d reply keys are left", len(s.connections), len(s.replies))
	}
	for _, v := range s.vhosts {
		for _, q := range v.queues {
			if q.owner != nil || q.unacked != 0 || len(q.consumers) != 0 {
				t.Errorf("queue %q is left with owner %v, %d unacked messages, %d consumers", q.name, q.owner, q.unacked, len(q.consumers))
			}
			checkReady(t, q)
		}
	}
}

// checkReady looks whether the list of ready messages is in order both ways.
func checkReady(t *testing.T, q *queue) {
	t.Helper()
	length, octets := 0, 0
	var before *entry
	for e := q.ready.head; e != nil; e = e.behind {
		if e.before != before || before != nil && !before.goesBefore(e) {
			t.Fatalf("queue %q is out of order", q.name)
		}
		before = e
		length++
		octets += len(e.body)
	}
	if q.ready.tail != before || q.ready.length != length || q.ready.bytes != octets {
		t.Errorf("queue %q counts %d messages of %d octets, has %d of %d", q.name, q.ready.length, q.ready.bytes, length, octets)
	}
}

// TestSeedsAreSessions makes sure that the seeds say something: no channel or
// connection is refused, except where a session asks for it.
func TestSeedsAreSessions(t *testing.T) {
	prefix := opened(t)
	refusals := []int{0, 0, 0, 0, 1}
	for i, session := range sessions(t) {
		for _, input := range [][]byte{session, framed(unframed(t, session))} {
			s := newServer()
			answer := serveMemory(t, s, append(prefix[:len(prefix):len(prefix)], input...))
			checkAnswer(t, answer)
			got := 0
			for len(answer) > 0 {
				f, n, err := wire.ParseFrame(answer, 0)
				if err != nil {
					t.Fatal(err)
				}
				answer = answer[n:]
				if f.Type != wire.FrameMethod {
					continue
				}
				switch m, _ := wire.ParseMethod(f.Payload); m := m.(type) {
				case *wire.ChannelClose:
					got++
					t.Logf("session %d: %s", i, m.ReplyText)
				case *wire.ConnectionClose:
					t.Errorf("session %d: %d %s", i, m.ReplyCode, m.ReplyText)
				}
			}
			if got != refusals[i] {
				t.Errorf("session %d: %d channels were closed, want %d", i, got, refusals[i])
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
