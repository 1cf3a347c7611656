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

// step takes one frame from pending, answers it if it has an answer, and reports
// whether there was one.
func (c *scriptedConn) step() bool {
	if bytes.HasPrefix(c.pending, protocolHeader) {
		c.pending = c.pending[len(protocolHeader):]
		c.answers <- start
		return true
	}
	if len(c.pending) < frameHead {
		return false
	}
	size := frameHead + int(binary.BigEndian.Uint32(c.pending[3:])) + 1
	if len(c.pending) < size {
		return false
	}
	frame := c.pending[:size]
	c.pending = c.pending[size:]
	if frame[0] != frameMethod || size < frameHead+4+1 {
		return true
	}
	channel := binary.BigEndian.Uint16(frame[1:])
	switch binary.BigEndian.Uint32(frame[frameHead:]) {
	case connectionStartOk:
		c.answers <- tune
	case connectionOpen:
		c.answers <- appendMethod(nil, 0, 10, 41, 0)
	case connectionClose:
		c.answers <- appendMethod(nil, 0, 10, 51)
	case channelOpen:
		c.answers <- appendMethod(nil, channel, 20, 11, 0, 0, 0, 0)
	case channelClose:
		c.answers <- appendMethod(nil, channel, 20, 41)
	}
	return true
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
