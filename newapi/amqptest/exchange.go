package amqptest

import (
	"reflect"
	"slices"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// exchange routes messages along its bindings.
type exchange struct {
	vhost      *vhost
	name, kind string
	durable    bool
	autoDelete bool // when the last binding from it goes
	internal   bool // clients cannot publish to it
	arguments  newapi.Table
	alternate  *string    // where messages go that no binding takes
	bindings   []*binding // from here
}

// binding leads from an exchange to a queue or to another exchange.
type binding struct {
	queue     *queue
	exchange  *exchange
	key       string
	arguments newapi.Table
	headers   *headersPattern // of a binding from a headers exchange
}

// same reports whether two bindings from one exchange are the same to AMQP.
func (b *binding) same(other *binding) bool {
	return b.queue == other.queue && b.exchange == other.exchange && b.key == other.key &&
		(len(b.arguments) == 0 && len(other.arguments) == 0 || reflect.DeepEqual(b.arguments, other.arguments))
}

// bind adds a binding; one that is there already is not added again.
func (x *exchange) bind(b *binding) error {
	if x.kind == amqp091.ExchangeHeaders {
		pattern, err := newHeadersPattern(b.arguments)
		if err != nil {
			return err
		}
		b.headers = pattern
	}
	if !slices.ContainsFunc(x.bindings, b.same) {
		x.bindings = append(x.bindings, b)
	}
	return nil
}

// unbind removes the bindings that gone reports, and then the exchange itself
// if it was to go with the last of them.
func (x *exchange) unbind(gone func(*binding) bool) {
	before := len(x.bindings)
	x.bindings = slices.DeleteFunc(x.bindings, gone)
	if x.autoDelete && before > 0 && len(x.bindings) == 0 {
		x.delete()
	}
}

func (x *exchange) delete() {
	if x.vhost.exchanges[x.name] != x {
		return
	}
	delete(x.vhost.exchanges, x.name)
	x.bindings = nil
	x.vhost.unbindEverywhere(func(b *binding) bool { return b.exchange == x })
}

// takes reports whether a message of that key and those headers follows b.
func (x *exchange) takes(b *binding, key string, headers func() newapi.Table) bool {
	switch x.kind {
	case amqp091.ExchangeFanout:
		return true
	case amqp091.ExchangeTopic:
		return topicMatches(b.key, key)
	case amqp091.ExchangeHeaders:
		return b.headers.matches(headers())
	default:
		return b.key == key
	}
}

// route returns the queues that a message published to x reaches, each once,
// in the order of the bindings.
func (x *exchange) route(key string, properties []byte) []*queue {
	var headers newapi.Table
	decoded := false
	r := router{
		key: key,
		headers: func() newapi.Table {
			if !decoded {
				decoded = true
				if fields, ok := wire.Property(properties, wire.FlagHeaders); ok {
					headers, _ = wire.DecodeFields(fields) // validated when it arrived
				}
			}
			return headers
		},
		seen: make(map[*exchange]bool),
	}
	r.through(x)
	return r.queues
}

// router walks the bindings for one message.
type router struct {
	key     string
	headers func() newapi.Table
	seen    map[*exchange]bool
	queues  []*queue
}

func (r *router) through(x *exchange) {
	if r.seen[x] {
		return
	}
	r.seen[x] = true
	if x.name == "" { // every queue is bound to the default exchange by its name
		if q := x.vhost.queues[r.key]; q != nil {
			r.reach(q)
		}
		return
	}
	taken := false
	for _, b := range x.bindings {
		if !x.takes(b, r.key, r.headers) {
			continue
		}
		taken = true
		if b.queue != nil {
			r.reach(b.queue)
		} else {
			r.through(b.exchange)
		}
	}
	if !taken && x.alternate != nil {
		if alternate := x.vhost.exchanges[*x.alternate]; alternate != nil {
			r.through(alternate)
		}
	}
}

func (r *router) reach(q *queue) {
	if !slices.Contains(r.queues, q) {
		r.queues = append(r.queues, q)
	}
}
