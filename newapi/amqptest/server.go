package amqptest

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"
)

// closeGrace is how long a client has to answer connection.close, and to read
// what was written before it, until its socket is closed.
const closeGrace = 300 * time.Millisecond

// defaultMaxMessageSize is RabbitMQ's: 128 MiB.
const defaultMaxMessageSize = 128 << 20

// Server is an AMQP 0-9-1 broker in this process. It forgets everything when
// it is closed. All its methods are safe for concurrent use.
type Server struct {
	listener net.Listener
	running  sync.WaitGroup // goroutines and timers
	recorder recorder

	readGate   gate // shut by PauseReads
	writeGate  gate // shut by PauseWrites
	memoryGate gate // shut by Block

	mu          sync.Mutex // everything below, and all that hangs from it
	closed      bool
	connections map[*conn]struct{}
	accepted    int
	vhosts      map[string]*vhost
	replies     map[string]*channel // by the routing key of their replies
	faults      faults
}

// NewServer starts a server and closes it when the test and its subtests are
// over. It fails the test at once when the server cannot listen.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	s, err := Start()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

// Start starts a server on a free port of 127.0.0.1. The caller closes it.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("amqptest: no port to listen on: %w", err)
	}
	s := newServer()
	s.listener = listener
	s.running.Add(1)
	go s.accept()
	return s, nil
}

// newServer returns a server that has everything but a listener.
func newServer() *Server {
	return &Server{
		connections: make(map[*conn]struct{}),
		vhosts:      make(map[string]*vhost),
		replies:     make(map[string]*channel),
		faults:      faults{maxMessageSize: defaultMaxMessageSize},
	}
}

// URL returns what a client dials: user guest, virtual host "/". Any other
// virtual host works as well, and any other user and password unless RequireLogin
// was called.
func (s *Server) URL() string { return "amqp://guest:guest@" + s.Addr() + "/" }

// Addr returns the host and port that the server listens on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close stops listening, tells every client with connection.close 320
// CONNECTION_FORCED, closes the sockets (at the latest after a third of a
// second, answered or not) and returns when no goroutine of the server is left.
// What was recorded stays readable. Closing again does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.running.Wait()
		return nil
	}
	s.closed = true
	var err error
	if s.listener != nil {
		err = s.listener.Close()
	}
	for c := range s.connections {
		c.forceClose("broker forced connection closure with reason 'shutdown'")
	}
	for _, v := range s.vhosts {
		v.stop()
	}
	s.mu.Unlock()

	s.recorder.close()
	s.running.Wait()
	return err
}

// accept serves clients until the listener is closed.
func (s *Server) accept() {
	defer s.running.Done()
	for {
		socket, err := s.listener.Accept()
		if err != nil {
			s.mu.Lock()
			closed := s.closed
			s.mu.Unlock()
			if closed {
				return
			}
			time.Sleep(5 * time.Millisecond) // out of file descriptors, or the client is gone already
			continue
		}
		c := s.connect(socket)
		if c == nil {
			socket.Close()
			return
		}
		go func() {
			defer s.running.Done()
			c.run()
		}()
	}
}

// connect makes a connection of a socket. The caller runs it and then says
// s.running.Done. It returns nil when the server is closed.
func (s *Server) connect(socket net.Conn) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.accepted++
	s.running.Add(1)
	c := newConn(s, s.accepted, socket)
	s.connections[c] = struct{}{}
	return c
}

// vhost returns the virtual host of that name, which exists from its first
// mention on. The caller holds the server's lock.
func (s *Server) vhost(name string) *vhost {
	v := s.vhosts[name]
	if v == nil {
		v = newVHost(s, name)
		s.vhosts[name] = v
	}
	return v
}
