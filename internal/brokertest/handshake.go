package brokertest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// greets reports whether the broker at addr answers a protocol header with
// connection.start and names itself in the server properties. The name matters:
// between choosing a port and listening on it, somebody else may have taken it.
func greets(addr, clusterName string) error {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, "AMQP\x00\x00\x09\x01"); err != nil {
		return err
	}
	var head [7]byte // type, channel, size
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head[3:])
	if head[0] != 1 || size > 64<<10 {
		return fmt.Errorf("%s answers with % x, which is not AMQP 0-9-1", addr, head)
	}
	start := make([]byte, size)
	if _, err := io.ReadFull(conn, start); err != nil {
		return err
	}
	if !bytes.Contains(start, []byte(clusterName)) {
		return fmt.Errorf("the broker at %s is not the one just started: it does not call itself %s", addr, clusterName)
	}
	return nil
}
