package main

import (
	"encoding/binary"
	"fmt"
)

// What the script and the sink need to know of AMQP 0-9-1.

// protocolHeader is the first thing that a client sends.
var protocolHeader = []byte("AMQP\x00\x00\x09\x01")

const (
	frameMethod = 1
	frameHeader = 2
	frameBody   = 3
	frameHead   = 7 // octets: type, channel, size
	frameEnd    = 0xce
)

// Methods, by class and method number as on the wire.
const (
	connectionStartOk = 10<<16 | 11
	connectionTuneOk  = 10<<16 | 31
	connectionOpen    = 10<<16 | 40
	connectionClose   = 10<<16 | 50
	channelOpen       = 20<<16 | 10
	channelClose      = 20<<16 | 40
	queueDeclare      = 50<<16 | 10
	basicConsume      = classBasic<<16 | 20
	basicCancel       = classBasic<<16 | 30
	basicPublish      = classBasic<<16 | 40
	confirmSelect     = 85<<16 | 10

	classBasic = 60
)

var (
	// start is connection.start of version 0-9 without server properties.
	start = appendMethod(nil, 0, 10, 10, []byte("\x00\x09\x00\x00\x00\x00\x00\x00\x00\x05PLAIN\x00\x00\x00\x05en_US")...)
	// tune is connection.tune: 2047 channels, frames of 128 KiB, no heartbeat.
	tune = appendMethod(nil, 0, 10, 30, 0x07, 0xff, 0, 2, 0, 0, 0, 0)
)

// appendMethod appends a whole method frame.
func appendMethod(dst []byte, channel, class, method uint16, arguments ...byte) []byte {
	dst = appendFrameHead(dst, frameMethod, channel, 4+len(arguments))
	dst = binary.BigEndian.AppendUint16(dst, class)
	dst = binary.BigEndian.AppendUint16(dst, method)
	dst = append(dst, arguments...)
	return append(dst, frameEnd)
}

func appendFrameHead(dst []byte, kind byte, channel uint16, size int) []byte {
	dst = append(dst, kind)
	dst = binary.BigEndian.AppendUint16(dst, channel)
	return binary.BigEndian.AppendUint32(dst, uint32(size))
}

// appendDeliver appends basic.deliver.
func appendDeliver(dst []byte, channel uint16, consumer string, tag uint64, exchange, routingKey string) []byte {
	arguments := shortstr(consumer)
	arguments = binary.BigEndian.AppendUint64(arguments, tag)
	arguments = append(arguments, 0) // not redelivered
	arguments = append(arguments, shortstr(exchange)...)
	arguments = append(arguments, shortstr(routingKey)...)
	return appendMethod(dst, channel, classBasic, 60, arguments...)
}

// deliveryTagOffset returns where appendDeliver puts the tag.
func deliveryTagOffset(consumer string) int { return frameHead + 4 + len(shortstr(consumer)) }

// appendContent appends a content header and, in one frame, the body if there is
// any.
func appendContent(dst []byte, channel uint16, properties, body []byte) []byte {
	dst = appendFrameHead(dst, frameHeader, channel, 12+len(properties))
	dst = binary.BigEndian.AppendUint16(dst, classBasic)
	dst = binary.BigEndian.AppendUint16(dst, 0) // weight
	dst = binary.BigEndian.AppendUint64(dst, uint64(len(body)))
	dst = append(append(dst, properties...), frameEnd)
	if len(body) == 0 {
		return dst
	}
	dst = appendFrameHead(dst, frameBody, channel, len(body))
	return append(append(dst, body...), frameEnd)
}

func shortstr(s string) []byte { return append([]byte{byte(len(s))}, s...) }

// cutShortstr takes a short string off the front.
func cutShortstr(b []byte) (s string, rest []byte, err error) {
	if len(b) == 0 || len(b) < 1+int(b[0]) {
		return "", nil, fmt.Errorf("a short string cut short: %q", b)
	}
	return string(b[1 : 1+b[0]]), b[1+b[0]:], nil
}
