package newapi

import (
	"net"
	"syscall"
	"testing"
	"time"
)

// A rush of small writes leaves the socket as it was: the kernel holds nothing
// back when the publishers have gone.
func TestCorkIsTakenOffAfterARush(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	c := corkFor(conn)
	if c == nil {
		t.Fatal("no cork for a TCP connection")
	}
	corked := func() bool {
		var value int
		var failed error
		if err := c.socket.(tcpCork).raw.Control(func(fd uintptr) {
			value, failed = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CORK)
		}); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		return value != 0
	}
	c.tickAfter = time.Hour
	c.beforeWrite(1)
	if corked() {
		t.Error("corked for one write")
	}
	now := time.Duration(0)
	c.now = func() time.Duration { return now }
	for i := 0; i < rushWrites; i++ {
		c.beforeWrite(1)
	}
	if !corked() {
		t.Error("not corked in a rush")
	}
	c.tick()
	if corked() {
		t.Error("corked after the rush")
	}
}

func TestNoCorkForOtherTransports(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if corkFor(a) != nil {
		t.Error("a cork for a pipe")
	}
}
