//go:build !386 && !s390x

package main

import (
	"io"
	"net"
	"os"
	"syscall"
)

// discard takes n octets from conn. Linux lets go of what a TCP socket has
// received without copying it (MSG_TRUNC, tcp(7)).
func discard(conn net.Conn, n int) error {
	socket, ok := conn.(*net.TCPConn)
	if !ok {
		_, err := io.CopyN(io.Discard, conn, int64(n))
		return err
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	for n > 0 && err == nil {
		var taken uintptr
		var errno syscall.Errno
		err = raw.Read(func(fd uintptr) bool {
			taken, _, errno = syscall.Syscall6(syscall.SYS_RECVFROM, fd, 0, uintptr(n), syscall.MSG_TRUNC, 0, 0)
			return errno != syscall.EAGAIN && errno != syscall.EINTR
		})
		switch {
		case err != nil:
		case errno != 0:
			err = os.NewSyscallError("recvfrom", errno)
		case taken == 0:
			err = io.ErrUnexpectedEOF
		default:
			n -= int(taken)
		}
	}
	return err
}
