package amqptest

import (
	"slices"
	"strings"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// vhost is one virtual host: a namespace of exchanges and queues.
type vhost struct {
	server    *Server
	name      string
	exchanges map[string]*exchange
	queues    map[string]*queue
}

// newVHost returns a virtual host with the exchanges that RabbitMQ declares in
// every one.
func newVHost(s *Server, name string) *vhost {
	v := &vhost{
		server:    s,
		name:      name,
		exchanges: make(map[string]*exchange),
		queues:    make(map[string]*queue),
	}
	for name, kind := range map[string]string{
		"":                   amqp091.ExchangeDirect,
		"amq.direct":         amqp091.ExchangeDirect,
		"amq.fanout":         amqp091.ExchangeFanout,
		"amq.topic":          amqp091.ExchangeTopic,
		"amq.headers":        amqp091.ExchangeHeaders,
		"amq.match":          amqp091.ExchangeHeaders,
		"amq.rabbitmq.trace": amqp091.ExchangeTopic,
	} {
		v.exchanges[name] = &exchange{
			vhost:    v,
			name:     name,
			kind:     kind,
			durable:  true,
			internal: name == "amq.rabbitmq.trace",
		}
	}
	return v
}

// exchange returns the exchange of that name, or the exception for its absence.
func (v *vhost) exchange(name string) (*exchange, error) {
	if x := v.exchanges[name]; x != nil {
		return x, nil
	}
	return nil, channelError(amqp091.NotFound, "no exchange '%s' in vhost '%s'", name, v.name)
}

// queue returns the queue of that name for use by c, or the exception for why
// c cannot have it.
func (v *vhost) queue(name string, c *conn) (*queue, error) {
	q := v.queues[name]
	if q == nil {
		return nil, channelError(amqp091.NotFound, "no queue '%s' in vhost '%s'", name, v.name)
	}
	if q.owner != nil && q.owner != c {
		return nil, v.locked(name)
	}
	return q, nil
}

// locked is the exception for touching what another connection has to itself.
func (v *vhost) locked(queue string) error {
	return channelError(amqp091.ResourceLocked, "cannot obtain exclusive access to locked queue '%s' in vhost '%s'. "+
		"It could be originally declared on another connection or the exclusive property value does not match that of the original declaration.", queue, v.name)
}

// reserved is the exception for declaring a name that the broker keeps for
// itself, nil for any other name.
func reserved(kind, name string) error {
	if strings.HasPrefix(name, "amq.") {
		return channelError(amqp091.AccessRefused, "%s name '%s' contains reserved prefix 'amq.*'", kind, name)
	}
	return nil
}

// notDefault is the exception for what the default exchange does not allow,
// nil for any other exchange.
func notDefault(names ...string) error {
	if slices.Contains(names, "") {
		return channelError(amqp091.AccessRefused, "operation not permitted on the default exchange")
	}
	return nil
}

// sortedQueues returns the queues by name.
func (v *vhost) sortedQueues() []*queue {
	queues := make([]*queue, 0, len(v.queues))
	for _, q := range v.queues {
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b *queue) int { return strings.Compare(a.name, b.name) })
	return queues
}

// sortedExchanges returns the exchanges by name.
func (v *vhost) sortedExchanges() []*exchange {
	exchanges := make([]*exchange, 0, len(v.exchanges))
	for _, x := range v.exchanges {
		exchanges = append(exchanges, x)
	}
	slices.SortFunc(exchanges, func(a, b *exchange) int { return strings.Compare(a.name, b.name) })
	return exchanges
}

// unbindEverywhere removes the bindings that lead to a queue or exchange that
// is no more.
func (v *vhost) unbindEverywhere(leadsThere func(*binding) bool) {
	for _, x := range v.sortedExchanges() {
		x.unbind(leadsThere)
	}
}

// stop cancels every timer.
func (v *vhost) stop() {
	for _, q := range v.queues {
		q.stop()
	}
}
