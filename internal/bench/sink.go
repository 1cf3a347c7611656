package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// The sink is a broker that keeps nothing. It takes apart every frame that a
// client sends and counts messages, frames and octets, and it does little else,
// so that what is measured is the client. It knows one channel for each
// connection, and of the protocol what follows:
//
//   - queue.declare is answered with a queue whose name is the tally so far.
//     The answer comes after whatever was sent before the question.
//   - In confirm mode messages are acknowledged, up to sinkAckEvery at once, and
//     at the latest when there is nothing more to read.
//   - basic.consume of a queue named by queueFormat delivers what the name says.
//   - What is published to exchange echoExchange is delivered to the consumer.

// echoExchange is where the sink sends messages back from.
const echoExchange = "echo"

// queueFormat names a queue that holds so many messages with bodies of so many
// octets, and with all properties.
const queueFormat = "%d messages of %d octets"

const (
	sinkReadBuffer = 256 << 10
	sinkAckEvery   = 64
	sinkFrameMax   = 128 << 10
	// sinkSkipFrom is how much of a body has to be missing for the sink not to
	// copy it out of the kernel, and how much it reads at once where it expects
	// such bodies.
	sinkSkipFrom = 4 << 10
)

// session is one connection of the sink.
type session struct {
	conn    net.Conn
	out     []byte
	channel uint16 // the open one, 0 if none
	tally

	publishing  bool   // a method has come, its content has not
	remaining   uint64 // of the body
	headerDue   bool
	echoes      bool
	skips       bool // the last body was skipped, so the next may be too
	confirming  bool
	tag, acked  uint64
	consumer    string
	deliveryTag uint64
	hungUp      bool
}

// serve reads until the client has said goodbye.
func (s *session) serve() error {
	greeting := make([]byte, len(protocolHeader))
	if _, err := io.ReadFull(s.conn, greeting); err != nil {
		return err
	}
	if string(greeting) != string(protocolHeader) {
		return fmt.Errorf("greeted with %q instead of AMQP 0-9-1", greeting)
	}
	s.out = append(s.out, start...)
	in := make([]byte, sinkReadBuffer)
	begin, end := 0, 0
	for {
		n, err := s.takeFrames(in[begin:end])
		if err != nil {
			return err
		}
		begin += n
		s.ack()
		if err := s.flush(); err != nil || s.hungUp {
			return err
		}
		skipped, err := s.skipBody(in[begin:end])
		if err != nil {
			return err
		}
		if skipped {
			begin = end
		}
		end = copy(in, in[begin:end])
		begin = 0
		most := len(in)
		if s.skips {
			most = min(most, end+sinkSkipFrom)
		}
		n, err = s.conn.Read(in[end:most])
		end += n
		if n == 0 && err != nil {
			return err
		}
	}
}

// takeFrames takes the whole frames off the front of in and returns their octets.
func (s *session) takeFrames(in []byte) (taken int, err error) {
	for len(in)-taken >= frameHead {
		frame := in[taken:]
		size := frameHead + int(binary.BigEndian.Uint32(frame[3:])) + 1
		if size > sinkFrameMax {
			return taken, fmt.Errorf("a frame of %d octets, above frame_max", size)
		}
		if size > len(frame) {
			break
		}
		frame = frame[:size]
		if frame[size-1] != frameEnd {
			return taken, fmt.Errorf("a frame ends with %#x", frame[size-1])
		}
		taken += size
		s.frames++
		s.octets += uint64(size)
		if err := s.frame(frame); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// skipBody takes the rest of a body frame of which begin has been read, if that is
// worth while. What a large body costs then is the client's part: the sink does not
// copy it, nor do unread bodies pile up in the kernel.
func (s *session) skipBody(begin []byte) (bool, error) {
	if s.echoes || len(begin) < frameHead || begin[0] != frameBody {
		return false, nil
	}
	payload := int(binary.BigEndian.Uint32(begin[3:]))
	missing := frameHead + payload - len(begin)
	if missing < sinkSkipFrom {
		return false, nil
	}
	if err := discard(s.conn, missing); err != nil {
		return false, err
	}
	var end [1]byte
	if _, err := io.ReadFull(s.conn, end[:]); err != nil {
		return false, err
	}
	if end[0] != frameEnd {
		return false, fmt.Errorf("a frame ends with %#x", end[0])
	}
	s.skips = true
	s.frames++
	s.octets += uint64(frameHead + payload + 1)
	return true, s.body(binary.BigEndian.Uint16(begin[1:]), uint64(payload))
}

// errContent is the end of a session whose content frames are not what the
// method and the header said.
var errContent = errors.New("unexpected frame")

func (s *session) frame(frame []byte) error {
	payload := frame[frameHead : len(frame)-1]
	switch frame[0] {
	case frameMethod:
		if s.publishing || len(payload) < 4 {
			return fmt.Errorf("%w: a method in the middle of a message", errContent)
		}
		return s.method(binary.BigEndian.Uint16(frame[1:]), binary.BigEndian.Uint32(payload), payload[4:])
	case frameHeader:
		if !s.publishing || !s.headerDue || len(payload) < 14 || binary.BigEndian.Uint16(payload) != classBasic {
			return fmt.Errorf("%w: a content header", errContent)
		}
		s.headerDue = false
		s.remaining = binary.BigEndian.Uint64(payload[4:])
	case frameBody:
		if s.echoes {
			s.out = append(s.out, frame...)
		}
		s.skips = false
		return s.body(binary.BigEndian.Uint16(frame[1:]), uint64(len(payload)))
	default:
		return fmt.Errorf("%w: of type %d", errContent, frame[0])
	}
	if s.echoes {
		s.out = append(s.out, frame...)
	}
	return s.content(binary.BigEndian.Uint16(frame[1:]))
}

// body takes a body frame of n octets.
func (s *session) body(channel uint16, n uint64) error {
	if !s.publishing || s.headerDue || n > s.remaining {
		return fmt.Errorf("%w: a body frame of %d octets where %d are missing", errContent, n, s.remaining)
	}
	s.remaining -= n
	return s.content(channel)
}

// content follows a content frame: the message may be complete.
func (s *session) content(channel uint16) error {
	if channel != s.channel {
		return fmt.Errorf("%w: on channel %d", errContent, channel)
	}
	if s.remaining == 0 {
		s.publishing = false
		s.messages++
		if s.confirming {
			if s.tag++; s.tag-s.acked == sinkAckEvery {
				s.ack()
			}
		}
	}
	return nil
}

func (s *session) method(channel uint16, id uint32, arguments []byte) error {
	if id == basicPublish {
		return s.publish(channel, arguments)
	}
	answer := func(class, method uint16, arguments ...byte) {
		s.out = appendMethod(s.out, channel, class, method, arguments...)
	}
	switch id {
	case connectionStartOk:
		s.out = append(s.out, tune...)
	case connectionTuneOk:
	case connectionOpen:
		answer(10, 41, 0)
	case connectionClose:
		answer(10, 51)
		s.hungUp = true
	case channelOpen:
		if s.channel != 0 {
			return fmt.Errorf("channel %d beside channel %d; the sink has one for each connection", channel, s.channel)
		}
		s.channel = channel
		answer(20, 11, 0, 0, 0, 0)
	case channelClose:
		s.channel = 0
		answer(20, 41)
	case confirmSelect:
		s.confirming = true
		answer(85, 11)
	case queueDeclare:
		s.ack() // before the answer, as the messages came before the question
		answer(50, 11, append(shortstr(s.tally.name()), make([]byte, 8)...)...)
	case basicConsume:
		return s.consume(channel, arguments)
	case basicCancel:
		tag, _, err := cutShortstr(arguments)
		if err != nil {
			return err
		}
		s.consumer = ""
		answer(classBasic, 31, shortstr(tag)...)
	default:
		return fmt.Errorf("method %d of class %d; the sink does not have it", id&0xffff, id>>16)
	}
	return nil
}

// publish handles basic.publish: ticket, exchange, routing key, flags.
func (s *session) publish(channel uint16, arguments []byte) error {
	if channel != s.channel || len(arguments) < 3 {
		return fmt.Errorf("%w: a publish on channel %d", errContent, channel)
	}
	rest := arguments[2:]
	exchange := rest[1:]
	if n := int(rest[0]); n < len(exchange) {
		exchange, rest = exchange[:n], exchange[n:]
	} else {
		return fmt.Errorf("%w: a publish cut short", errContent)
	}
	if int(rest[0])+2 != len(rest) {
		return fmt.Errorf("%w: a publish whose routing key and flags are %d octets", errContent, len(rest))
	}
	s.publishing, s.headerDue = true, true
	s.remaining = 0
	if s.echoes = string(exchange) == echoExchange; s.echoes {
		if s.consumer == "" {
			return fmt.Errorf("a publish to %q without a consumer to send it back to", echoExchange)
		}
		s.deliveryTag++
		s.out = appendDeliver(s.out, channel, s.consumer, s.deliveryTag, echoExchange, string(rest[1:len(rest)-1]))
	}
	return nil
}

// ack acknowledges what has come so far.
func (s *session) ack() {
	if s.acked == s.tag {
		return
	}
	s.acked = s.tag
	var arguments [9]byte
	binary.BigEndian.PutUint64(arguments[:], s.tag)
	arguments[8] = 1 // multiple
	s.out = appendMethod(s.out, s.channel, classBasic, 80, arguments[:]...)
}

// consume handles basic.consume: ticket, queue, tag, flags, arguments.
func (s *session) consume(channel uint16, arguments []byte) error {
	if len(arguments) < 2 {
		return io.ErrUnexpectedEOF
	}
	queue, rest, err := cutShortstr(arguments[2:])
	if err != nil {
		return err
	}
	if s.consumer, _, err = cutShortstr(rest); err != nil {
		return err
	}
	s.out = appendMethod(s.out, channel, classBasic, 21, shortstr(s.consumer)...)
	var n, size int
	if _, err := fmt.Sscanf(queue, queueFormat, &n, &size); err != nil {
		return nil // an empty queue
	}
	return s.deliver(channel, n, size)
}

// sinkBlock is about how much the sink delivers with one write.
const sinkBlock = 64 << 10

// deliver sends n messages, a block at a time.
func (s *session) deliver(channel uint16, n, size int) error {
	properties, err := fullProperties(headers).AppendHeader(nil)
	if err != nil {
		return err
	}
	message := appendDeliver(nil, channel, s.consumer, 0, exchange, routingKey)
	message = appendContent(message, channel, properties, make([]byte, size))
	tag := deliveryTagOffset(s.consumer)
	var block []byte
	for len(block) < sinkBlock && len(block) < n*len(message) {
		block = append(block, message...)
	}
	if err := s.flush(); err != nil {
		return err
	}
	for n > 0 {
		block = block[:min(len(block), n*len(message))]
		for at := 0; at < len(block); at += len(message) {
			s.deliveryTag++
			binary.BigEndian.PutUint64(block[at+tag:], s.deliveryTag)
			n--
		}
		if _, err := s.conn.Write(block); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) flush() error {
	if len(s.out) == 0 {
		return nil
	}
	_, err := s.conn.Write(s.out)
	s.out = s.out[:0]
	return err
}

// name is what a queue is called whose name is t.
func (t tally) name() string { return fmt.Sprintf("%d %d %d", t.messages, t.frames, t.octets) }

// parseTally reads a queue's name.
func parseTally(name string) (t tally, err error) {
	if _, err := fmt.Sscanf(name, "%d %d %d", &t.messages, &t.frames, &t.octets); err != nil {
		return tally{}, fmt.Errorf("a queue named %q is no tally of the sink: %w", name, err)
	}
	return t, nil
}
