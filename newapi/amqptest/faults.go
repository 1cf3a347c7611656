package amqptest

import (
	"fmt"
)

// faults is what tests have asked the server to do wrong, or to do without.
type faults struct {
	nacks          int // publishes in confirm mode still to be refused
	closeNext      *exception
	holdConfirms   bool
	blocked        bool
	blockReason    string
	maxMessageSize int64
	credentials    *[2]string // user and password; nil: all are welcome
}

// admits reports whether a user may log in.
func (f *faults) admits(user, password string) bool {
	return f.credentials == nil || *f.credentials == [2]string{user, password}
}

// refusePublish returns the exception that a test wants for this publish.
func (f *faults) refusePublish() error {
	if f.closeNext == nil {
		return nil
	}
	e := f.closeNext
	f.closeNext = nil
	return e
}

// nackPublish reports whether a test wants this publish refused.
func (f *faults) nackPublish() bool {
	if f.nacks == 0 {
		return false
	}
	f.nacks--
	return true
}

// NackNext makes the server refuse the next n publishes on channels in confirm
// mode: it answers basic.nack and puts them nowhere. They are recorded all the
// same. n replaces what an earlier call asked for; 0 ends it.
func (s *Server) NackNext(n int) {
	if n < 0 {
		panic(fmt.Sprintf("amqptest: NackNext(%d): the number of publishes to refuse cannot be negative", n))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.nacks = n
}

// CloseChannelOnPublish makes the server answer the next publish, on whatever
// channel, with channel.close of that code and text (without the code's name
// in front, cut to 255 octets). The publish is recorded and goes nowhere.
func (s *Server) CloseChannelOnPublish(code uint16, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.closeNext = &exception{code: code, text: shortText(text)}
}

// HoldConfirms makes the server keep its acks and nacks of publishes until
// ReleaseConfirms. Messages are routed, and returned, as before. What is held
// for a channel that closes is never sent.
func (s *Server) HoldConfirms() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.holdConfirms = true
}

// ReleaseConfirms sends what HoldConfirms kept, several at once as a single
// method with the multiple bit, and ends the holding.
func (s *Server) ReleaseConfirms() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.holdConfirms = false
	for c := range s.connections {
		c.flushConfirms()
	}
}

// Block is a resource alarm: connection.blocked with that reason to every
// client that announced the capability, to those that connect later as well.
// From its first publish on, a client is not read any more until Unblock; that
// publish counts as not arrived, and a close waits behind it, as with RabbitMQ.
// Blocking again changes nothing.
func (s *Server) Block(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.blocked {
		return
	}
	s.faults.blocked, s.faults.blockReason = true, reason
	s.memoryGate.close()
	for c := range s.connections {
		c.sendBlocked()
	}
}

// Unblock ends the alarm: connection.unblocked to every client that announced
// the capability. Without an alarm it does nothing.
func (s *Server) Unblock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.faults.blocked {
		return
	}
	s.faults.blocked = false
	s.memoryGate.open()
	for c := range s.connections {
		c.sendUnblocked()
	}
}

// PauseReads makes the server take no more frames from any client, so that
// what clients write fills the sockets' buffers and then stalls. Heartbeats
// and deliveries go on.
func (s *Server) PauseReads() { s.readGate.close() }

// ResumeReads ends PauseReads.
func (s *Server) ResumeReads() { s.readGate.open() }

// PauseWrites makes the server write nothing to any client, heartbeats
// included, so that it looks dead. What it had to say waits.
func (s *Server) PauseWrites() { s.writeGate.close() }

// ResumeWrites ends PauseWrites.
func (s *Server) ResumeWrites() { s.writeGate.open() }

// DropConnections closes the socket of every client without a word and returns
// when the broker has let go of what those connections held.
func (s *Server) DropConnections() {
	for _, c := range s.snapshot() {
		c.kill()
		<-c.done
	}
}

// CloseConnections sends every client connection.close with that code and text
// (without the code's name in front, cut to 255 octets) and returns when the
// connections are over.
func (s *Server) CloseConnections(code uint16, text string) {
	connections := s.snapshot()
	for _, c := range connections {
		c.refuse(&exception{code: code, text: shortText(text), connection: true})
	}
	for _, c := range connections {
		<-c.done
	}
}

// LimitMessageSize makes the server refuse publishes whose body is larger than
// that many octets with channel.close 406, as RabbitMQ's max_message_size. It
// starts with RabbitMQ's 134217728.
func (s *Server) LimitMessageSize(octets int64) {
	if octets < 0 {
		panic(fmt.Sprintf("amqptest: LimitMessageSize(%d): a size cannot be negative", octets))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.maxMessageSize = octets
}

// RequireLogin makes the server refuse every other user and password with
// connection.close 403; until then it takes any. Connections that are open stay
// open, and URL still names the user guest.
func (s *Server) RequireLogin(user, password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.credentials = &[2]string{user, password}
}

// snapshot returns the connections there are.
func (s *Server) snapshot() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	connections := make([]*conn, 0, len(s.connections))
	for c := range s.connections {
		connections = append(connections, c)
	}
	return connections
}
