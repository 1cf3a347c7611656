package newapi

import (
	"io"
	"net"
	"syscall"
)

// corkFor returns the cork of a connection that can have one, else nil.
func corkFor(conn io.Writer) *cork {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return newCork(tcpCork{raw})
}

// tcpCork sets TCP_CORK. Linux then sends full segments only, and what it holds
// back when the option is taken away, when the socket is closed, and after 200 ms
// at the latest (tcp(7)).
type tcpCork struct{ raw syscall.RawConn }

func (s tcpCork) hold() error    { return s.set(1) }
func (s tcpCork) release() error { return s.set(0) }

func (s tcpCork) set(value int) error {
	var failed error
	err := s.raw.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CORK, value)
	})
	if err != nil {
		return err
	}
	return failed
}
