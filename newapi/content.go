package newapi

import (
	"unsafe"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// firstBlock bounds what is allocated on a peer's word alone. A larger message
// grows with what arrives.
const firstBlock = 1 << 20

// content puts a message together from its method, header and body frames. The
// message gets one block of memory of its own: exchange, routing key,
// properties, body, in this order. Only the reader touches it.
type content struct {
	state     contentState
	method    wire.MethodID
	routing   []byte // exchange and routing key, until the block is there; reused
	exchange  int    // octets of it
	consumer  consumer
	replyCode uint16
	replyText string

	// Of deliver and get-ok.
	deliveryTag  uint64
	redelivered  bool
	messageCount uint32

	block      []byte
	properties int // offset in block
	body       int // offset in block
	remaining  uint64
}

type contentState uint8

const (
	noContent contentState = iota
	awaitsHeader
	awaitsBody
	skipsContent // of a channel that is closing, or of a consumer that is gone
)

func (ct *content) begin(method wire.MethodID, exchange, routingKey []byte) {
	ct.state = awaitsHeader
	ct.method = method
	ct.routing = append(append(ct.routing[:0], exchange...), routingKey...)
	ct.exchange = len(exchange)
}

// header allocates the block.
func (ct *content) header(h wire.ContentHeader) {
	known := len(ct.routing) + len(h.Properties)
	size := uint64(known) + h.BodySize
	ct.block = make([]byte, 0, min(size, max(uint64(known), firstBlock)))
	ct.block = append(ct.block, ct.routing...)
	ct.properties = len(ct.block)
	ct.block = append(ct.block, h.Properties...)
	ct.body = len(ct.block)
	ct.remaining = h.BodySize
	ct.state = awaitsBody
}

// piece adds a body frame; it reports false for more than was announced.
func (ct *content) piece(payload []byte) bool {
	if uint64(len(payload)) > ct.remaining {
		return false
	}
	ct.block = append(ct.block, payload...)
	ct.remaining -= uint64(len(payload))
	return true
}

// finish takes the block apart and forgets it: from here on it belongs to the
// message, and nothing writes to it but a user to the body.
func (ct *content) finish() (exchange, routingKey string, properties ReadOnlyBasicProperties, body []byte) {
	b := ct.block
	ct.block = nil
	ct.state = noContent
	routing := unsafe.String(unsafe.SliceData(b), ct.properties)
	// Appending to a delivery's body must not reach what lies behind it: nothing
	// does, but a slice with spare capacity would share it between two appends.
	body = b[ct.body:len(b):len(b)]
	return routing[:ct.exchange], routing[ct.exchange:],
		newReadOnly(b[ct.properties:ct.body:ct.body]), body
}
