package amqptest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/amqpfix/amqpfix/newapi"
)

// Published is one basic.publish as it came over the wire.
type Published struct {
	Connection int    // 1 for the first client that connected, and so on
	Channel    uint16 // of that connection
	Exchange   string
	RoutingKey string
	Mandatory  bool
	Immediate  bool

	// Properties views the very octets that arrived: AppendHeader gives them
	// back unchanged.
	Properties newapi.ReadOnlyBasicProperties

	// Body must not be changed: the recording, and a server's queues, share it.
	Body []byte
}

// encodedProperties makes validated bytes an AMQPHeader.
type encodedProperties []byte

// AppendHeader implements newapi.AMQPHeader.
func (p encodedProperties) AppendHeader(dst []byte) ([]byte, error) { return append(dst, p...), nil }

// viewProperties views validated bytes.
func viewProperties(properties []byte) newapi.ReadOnlyBasicProperties {
	view, err := newapi.ReadOnly(encodedProperties(properties))
	if err != nil {
		panic("amqptest: properties that were validated are not valid: " + err.Error())
	}
	return view
}

func newPublished(connection int, channel uint16, content assembly) Published {
	return Published{
		Connection: connection,
		Channel:    channel,
		Exchange:   content.method.Exchange,
		RoutingKey: content.method.RoutingKey,
		Mandatory:  content.method.Mandatory,
		Immediate:  content.method.Immediate,
		Properties: viewProperties(content.properties),
		Body:       content.body,
	}
}

// recorder keeps what was published. The zero value is ready.
type recorder struct {
	mu        sync.Mutex
	published []Published
	grown     chan struct{} // closed at the next change; nil while nobody waits
	closed    bool
}

func (r *recorder) add(p Published) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.published = append(r.published, p)
	r.wake()
}

// close ends every wait.
func (r *recorder) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.wake()
}

func (r *recorder) wake() {
	if r.grown != nil {
		close(r.grown)
		r.grown = nil
	}
}

func (r *recorder) all() []Published {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.published)
}

func (r *recorder) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.published = nil
}

// wait returns what is there once it is n or more.
func (r *recorder) wait(ctx context.Context, n int) ([]Published, error) {
	for {
		r.mu.Lock()
		have := len(r.published)
		if have >= n {
			all := slices.Clone(r.published)
			r.mu.Unlock()
			return all, nil
		}
		if r.closed {
			r.mu.Unlock()
			return r.all(), fmt.Errorf("amqptest: closed with %d of %d publishes recorded", have, n)
		}
		if r.grown == nil {
			r.grown = make(chan struct{})
		}
		grown := r.grown
		r.mu.Unlock()

		select {
		case <-grown:
		case <-ctx.Done():
			return r.all(), fmt.Errorf("amqptest: %d of %d publishes recorded: %w", have, n, ctx.Err())
		}
	}
}

// Published returns every basic.publish that has arrived since the start or
// the last Reset, in order of arrival, whether or not it was routed, refused
// or committed. Publishes on a channel that the server has closed are not
// among them. The recording grows until Reset.
func (s *Server) Published() []Published { return s.recorder.all() }

// WaitPublished waits until n publishes have arrived and returns what
// Published does then, which may be more. It fails when ctx is done or the
// server closes, with what has arrived.
func (s *Server) WaitPublished(ctx context.Context, n int) ([]Published, error) {
	return s.recorder.wait(ctx, n)
}

// Reset empties the recording. Queues keep their messages.
func (s *Server) Reset() { s.recorder.reset() }
