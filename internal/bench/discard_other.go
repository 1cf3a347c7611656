//go:build !linux || 386 || s390x

package main

import (
	"io"
	"net"
)

// discard takes n octets from conn.
func discard(conn net.Conn, n int) error {
	_, err := io.CopyN(io.Discard, conn, int64(n))
	return err
}
