package amqptest

import (
	"maps"
	"slices"

	"github.com/amqpfix/amqpfix/newapi"
)

// VirtualHost looks into one virtual host of a server. What its methods return
// are copies: they do not follow the broker. Only Body and the values in
// tables are shared and must not be changed.
type VirtualHost struct {
	server *Server
	name   string
}

// Message is a message in a queue. What the broker changed on the way, such as
// the x-death header of a dead letter, is in it.
type Message struct {
	Exchange    string
	RoutingKey  string
	Properties  newapi.ReadOnlyBasicProperties
	Body        []byte
	Redelivered bool // it was with a client before
}

// QueueState is a queue at one moment.
type QueueState struct {
	Name       string
	Durable    bool
	Exclusive  bool
	AutoDelete bool
	Arguments  newapi.Table
	Ready      int // messages that wait for a consumer
	Unacked    int // messages that are with a client and not settled
	Consumers  int
}

// ExchangeState is an exchange at one moment.
type ExchangeState struct {
	Name       string
	Type       string
	Durable    bool
	AutoDelete bool
	Internal   bool
	Arguments  newapi.Table
	Bindings   []Binding // from here, in the order they were made
}

// Binding leads from an exchange to a queue or to another exchange.
type Binding struct {
	Queue      string // empty if it leads to an exchange
	Exchange   string // empty if it leads to a queue
	RoutingKey string
	Arguments  newapi.Table
}

// ConnectionState is a client that has opened a virtual host.
type ConnectionState struct {
	Number           int // as Published.Connection has it
	User             string
	VirtualHost      string
	ClientProperties newapi.Table
	Channels         int
}

// VirtualHost looks into the virtual host of that name. Every virtual host
// exists, with the exchanges that RabbitMQ declares in each.
func (s *Server) VirtualHost(name string) VirtualHost { return VirtualHost{s, name} }

func (s *Server) defaultVHost() VirtualHost { return s.VirtualHost("/") }

// QueueNames returns the names of the queues in virtual host "/", sorted.
func (s *Server) QueueNames() []string { return s.defaultVHost().QueueNames() }

// ExchangeNames returns the names of the exchanges in virtual host "/", sorted.
// The default exchange, whose name is empty, and RabbitMQ's amq.* are among
// them.
func (s *Server) ExchangeNames() []string { return s.defaultVHost().ExchangeNames() }

// Queue returns the state of a queue in virtual host "/"; ok is false if there
// is none of that name.
func (s *Server) Queue(name string) (state QueueState, ok bool) { return s.defaultVHost().Queue(name) }

// Exchange returns the state of an exchange in virtual host "/"; ok is false
// if there is none of that name.
func (s *Server) Exchange(name string) (state ExchangeState, ok bool) {
	return s.defaultVHost().Exchange(name)
}

// Messages returns the messages of a queue in virtual host "/" that wait for a
// consumer, the next one first; nil if there is no such queue.
func (s *Server) Messages(queue string) []Message { return s.defaultVHost().Messages(queue) }

// Connections returns the clients that have opened a virtual host and not
// closed, by number.
func (s *Server) Connections() []ConnectionState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var states []ConnectionState
	for c := range s.connections {
		if c.phase != running {
			continue
		}
		states = append(states, ConnectionState{
			Number:           c.number,
			User:             c.user,
			VirtualHost:      c.vhost.name,
			ClientProperties: maps.Clone(c.properties),
			Channels:         len(c.channels),
		})
	}
	slices.SortFunc(states, func(a, b ConnectionState) int { return a.Number - b.Number })
	return states
}

// QueueNames is Server.QueueNames for this virtual host.
func (h VirtualHost) QueueNames() []string {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	var names []string
	for _, q := range h.server.vhost(h.name).sortedQueues() {
		names = append(names, q.name)
	}
	return names
}

// ExchangeNames is Server.ExchangeNames for this virtual host.
func (h VirtualHost) ExchangeNames() []string {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	var names []string
	for _, x := range h.server.vhost(h.name).sortedExchanges() {
		names = append(names, x.name)
	}
	return names
}

// Queue is Server.Queue for this virtual host.
func (h VirtualHost) Queue(name string) (state QueueState, ok bool) {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	q := h.server.vhost(h.name).queues[name]
	if q == nil {
		return QueueState{}, false
	}
	return QueueState{
		Name:       q.name,
		Durable:    q.durable,
		Exclusive:  q.owner != nil,
		AutoDelete: q.autoDelete,
		Arguments:  maps.Clone(q.arguments),
		Ready:      q.ready.length,
		Unacked:    q.unacked,
		Consumers:  len(q.consumers),
	}, true
}

// Exchange is Server.Exchange for this virtual host.
func (h VirtualHost) Exchange(name string) (state ExchangeState, ok bool) {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	x := h.server.vhost(h.name).exchanges[name]
	if x == nil {
		return ExchangeState{}, false
	}
	state = ExchangeState{
		Name:       x.name,
		Type:       x.kind,
		Durable:    x.durable,
		AutoDelete: x.autoDelete,
		Internal:   x.internal,
		Arguments:  maps.Clone(x.arguments),
	}
	for _, b := range x.bindings {
		binding := Binding{RoutingKey: b.key, Arguments: maps.Clone(b.arguments)}
		if b.queue != nil {
			binding.Queue = b.queue.name
		} else {
			binding.Exchange = b.exchange.name
		}
		state.Bindings = append(state.Bindings, binding)
	}
	return state, true
}

// Messages is Server.Messages for this virtual host.
func (h VirtualHost) Messages(queue string) []Message {
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	q := h.server.vhost(h.name).queues[queue]
	if q == nil {
		return nil
	}
	messages := make([]Message, 0, q.ready.length)
	for e := q.ready.head; e != nil; e = e.behind {
		messages = append(messages, Message{
			Exchange:    e.exchange,
			RoutingKey:  e.routingKey,
			Properties:  viewProperties(e.properties),
			Body:        e.body,
			Redelivered: e.redelivered,
		})
	}
	return messages
}
