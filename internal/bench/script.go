package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// scriptedConn is a connection whose broker is a script: it answers the methods
// that open and close connections and channels, and takes everything else
// without looking. Between Mute and Listen a write costs no more than counting
// its octets, which leaves the client's own work to be measured.
type scriptedConn struct {
	written atomic.Int64
	muted   atomic.Bool

	mu      sync.Mutex
	pending []byte // written, but not yet a whole frame

	replies *io.PipeReader
	script  *io.PipeWriter
	answers chan []byte
	closed  chan struct{}
	once    sync.Once
}

// newScriptedConn returns a connection before the client's first octet.
func newScriptedConn() *scriptedConn {
	c := &scriptedConn{answers: make(chan []byte, 16), closed: make(chan struct{})}
	c.replies, c.script = io.Pipe()
	go c.answer()
	return c
}

// answer sends what the script says until the connection is closed, so that a
// client may read and write on one goroutine.
func (c *scriptedConn) answer() {
	for {
		select {
		case frame := <-c.answers:
			c.script.Write(frame) // fails only once the client has closed
		case <-c.closed:
			return
		}
	}
}

// Mute makes the connection discard what is written.
func (c *scriptedConn) Mute() { c.muted.Store(true) }

// Listen makes the connection answer again. What was written since Mute must
// have been whole frames.
func (c *scriptedConn) Listen() { c.muted.Store(false) }

// Written returns the number of octets written.
func (c *scriptedConn) Written() int64 { return c.written.Load() }

func (c *scriptedConn) Read(p []byte) (int, error) { return c.replies.Read(p) }

func (c *scriptedConn) Write(p []byte) (int, error) {
	c.written.Add(int64(len(p)))
	if c.muted.Load() {
		return len(p), nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = append(c.pending, p...)
	for c.step() {
	}
	return len(p), nil
}

// protocolHeader is the first thing that a client sends.
var protocolHeader = []byte("AMQP\x00\x00\x09\x01")

// step takes one frame from pending, answers it if it has an answer, and reports
// whether there was one.
func (c *scriptedConn) step() bool {
	if bytes.HasPrefix(c.pending, protocolHeader) {
		c.pending = c.pending[len(protocolHeader):]
		c.answers <- start
		return true
	}
	const head, end = 7, 1 // type, channel, size; end octet
	if len(c.pending) < head {
		return false
	}
	size := head + int(binary.BigEndian.Uint32(c.pending[3:])) + end
	if len(c.pending) < size {
		return false
	}
	frame := c.pending[:size]
	c.pending = c.pending[size:]
	if frame[0] != 1 || size < head+4+end { // not a method
		return true
	}
	channel := binary.BigEndian.Uint16(frame[1:])
	class, method := binary.BigEndian.Uint16(frame[7:]), binary.BigEndian.Uint16(frame[9:])
	switch [2]uint16{class, method} {
	case [2]uint16{10, 11}: // connection.start-ok
		c.answers <- methodFrame(0, 10, 30, 0x07, 0xff, 0, 2, 0, 0, 0, 0) // tune: 2047 channels, frames of 128 KiB, no heartbeat
	case [2]uint16{10, 40}: // connection.open
		c.answers <- methodFrame(0, 10, 41, 0)
	case [2]uint16{10, 50}: // connection.close
		c.answers <- methodFrame(0, 10, 51)
	case [2]uint16{20, 10}: // channel.open
		c.answers <- methodFrame(channel, 20, 11, 0, 0, 0, 0)
	case [2]uint16{20, 40}: // channel.close
		c.answers <- methodFrame(channel, 20, 41)
	}
	return true
}

// start is connection.start of version 0-9 without server properties.
var start = methodFrame(0, 10, 10, []byte("\x00\x09\x00\x00\x00\x00\x00\x00\x00\x05PLAIN\x00\x00\x00\x05en_US")...)

// methodFrame returns a whole method frame.
func methodFrame(channel, class, method uint16, arguments ...byte) []byte {
	frame := []byte{1}
	frame = binary.BigEndian.AppendUint16(frame, channel)
	frame = binary.BigEndian.AppendUint32(frame, uint32(4+len(arguments)))
	frame = binary.BigEndian.AppendUint16(frame, class)
	frame = binary.BigEndian.AppendUint16(frame, method)
	frame = append(frame, arguments...)
	return append(frame, 0xce)
}

func (c *scriptedConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.replies.Close()
		c.script.Close()
	})
	return nil
}

// A scripted connection never makes its client wait, so it has no deadlines.

func (c *scriptedConn) SetDeadline(time.Time) error      { return nil }
func (c *scriptedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *scriptedConn) SetWriteDeadline(time.Time) error { return nil }
func (c *scriptedConn) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
func (c *scriptedConn) RemoteAddr() net.Addr             { return c.LocalAddr() }
