package brokertest

import (
	"errors"
	"math/rand"
	"net"
	"strconv"
	"sync"
)

// port is a TCP port of 127.0.0.1.
type port int

func (p port) String() string { return strconv.Itoa(int(p)) }

// Ports are taken from below the range in which Linux and macOS choose the
// local ports of outgoing connections: there, a client could take the port of a
// node that is down between Kill and Restart.
const firstPort, lastPort = 15000, 32000

var ports struct {
	sync.Mutex
	taken map[port]bool
}

// takePort returns a port of 127.0.0.1 on which nobody listens and which this
// process has not handed out before.
func takePort() (port, error) {
	ports.Lock()
	defer ports.Unlock()
	for try := 0; try < 1000; try++ {
		p := port(firstPort + rand.Intn(lastPort-firstPort))
		if ports.taken[p] {
			continue
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", p.String()))
		if err != nil {
			continue
		}
		l.Close()
		if ports.taken == nil {
			ports.taken = make(map[port]bool)
		}
		ports.taken[p] = true
		return p, nil
	}
	return 0, errors.New("no free port on 127.0.0.1 between 15000 and 32000")
}
