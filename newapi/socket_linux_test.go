package newapi

import (
	"net"
	"sync"
	"syscall"
	"testing"
)

// When a publish returns, its octets are on their way: the system is not told to
// wait for more of them, whatever was published before.
func TestSocketHoldsNothingBack(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	const publishers, each = 16, 50
	var wg sync.WaitGroup
	for i := 0; i < publishers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < each; k++ {
				if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, make([]byte, k)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	for i := 0; i < publishers*each; i++ {
		p.message()
	}
	wg.Wait()
	raw, err := conn.conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for name, option := range map[string]struct{ number, want int }{
		"TCP_CORK":    {syscall.TCP_CORK, 0},
		"TCP_NODELAY": {syscall.TCP_NODELAY, 1},
	} {
		var got int
		if failed := raw.Control(func(fd uintptr) {
			got, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, option.number)
		}); failed != nil || err != nil {
			t.Fatal(name, failed, err)
		}
		if got != option.want {
			t.Errorf("%s is %d, want %d", name, got, option.want)
		}
	}
}
