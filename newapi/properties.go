package newapi

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// BasicProperties are the properties of one message to publish: the fourteen
// of AMQP 0-9-1's basic class, under the names that amqp091-go gave them. It
// is a plain value, to be written as a keyed literal, copied, compared field
// by field and published any number of times; the zero value has no
// properties.
//
// A property is present on the wire when it is not zero or when SendZero names
// it. Each string holds at most 255 bytes; a longer one fails the publish
// before anything is written.
//
// A value may be published from several goroutines at once, as long as none
// changes it or its Headers meanwhile. Publishing reads Headers and keeps no
// reference to it.
type BasicProperties struct {
	ContentType     string    // MIME type of the body
	ContentEncoding string    // such as gzip; nobody decodes it on the way
	Headers         Table     // present when it has an entry; an empty one needs SendZero
	DeliveryMode    uint8     // Transient (1) or Persistent (2); absent is transient
	Priority        uint8     // 0 to the queue's x-max-priority
	CorrelationId   string    // of a reply: which request it answers
	ReplyTo         string    // where the answer goes: a queue, or a PublicationAddress
	Expiration      string    // time to live in milliseconds, in decimal digits
	MessageId       string    // chosen by the application
	Timestamp       time.Time // sent in whole seconds since 1970; the zero Time is absent, time.Unix(0, 0) is sent
	Type            string    // kind of message, chosen by the application
	UserId          string    // checked by the broker: the connection's user or absent
	AppId           string    // name of the publishing application
	ClusterId       string    // unused by brokers

	// SendZero names properties to send even when they are zero: the empty
	// string, the number 0, a table without entries, the timestamp 0. What it
	// names and is not zero is sent as it is. Bits that stand for no property
	// are ignored.
	SendZero PropertySet
}

// Present returns the properties that publishing p puts on the wire: those
// that are not zero and those that SendZero names.
func (p BasicProperties) Present() PropertySet {
	return p.present()
}

func (p *BasicProperties) present() PropertySet {
	set := p.SendZero & allProperties
	if p.ContentType != "" {
		set |= PropertyContentType
	}
	if p.ContentEncoding != "" {
		set |= PropertyContentEncoding
	}
	if len(p.Headers) > 0 {
		set |= PropertyHeaders
	}
	if p.DeliveryMode != 0 {
		set |= PropertyDeliveryMode
	}
	if p.Priority != 0 {
		set |= PropertyPriority
	}
	if p.CorrelationId != "" {
		set |= PropertyCorrelationId
	}
	if p.ReplyTo != "" {
		set |= PropertyReplyTo
	}
	if p.Expiration != "" {
		set |= PropertyExpiration
	}
	if p.MessageId != "" {
		set |= PropertyMessageId
	}
	if !p.Timestamp.IsZero() {
		set |= PropertyTimestamp
	}
	if p.Type != "" {
		set |= PropertyType
	}
	if p.UserId != "" {
		set |= PropertyUserId
	}
	if p.AppId != "" {
		set |= PropertyAppId
	}
	if p.ClusterId != "" {
		set |= PropertyClusterId
	}
	return set
}

// AppendHeader appends the encoded properties to dst; it implements
// AMQPHeader. The error names the property or, by its path, the header that
// cannot be sent; dst is returned as it was then.
func (p BasicProperties) AppendHeader(dst []byte) ([]byte, error) { return p.appendHeader(dst) }

func (p *BasicProperties) appendHeader(dst []byte) ([]byte, error) {
	start := len(dst)
	present := p.present()
	if present == 0 {
		return append(dst, 0, 0), nil
	}
	out, err := p.appendBeforeHeaders(dst, present)
	if err != nil {
		return dst, err
	}
	if present.Has(PropertyHeaders) {
		if out, err = wire.AppendTable(out, p.Headers); err != nil {
			return out[:start], newHeaderError("", err)
		}
	}
	return p.appendAfterHeaders(out, present), nil
}

// appendBeforeHeaders appends the flags and what the list has in front of the
// headers. It also checks every string, so that only the headers can still
// fail after it.
func (p *BasicProperties) appendBeforeHeaders(dst []byte, present PropertySet) ([]byte, error) {
	// A length above 255 has a bit above the lowest eight.
	if (len(p.ContentType)|len(p.ContentEncoding)|len(p.CorrelationId)|len(p.ReplyTo)|
		len(p.Expiration)|len(p.MessageId)|len(p.Type)|len(p.UserId)|len(p.AppId)|len(p.ClusterId))>>8 != 0 {
		return dst, p.tooLong()
	}
	return p.appendContent(append(dst, byte(present>>8), byte(present)), present), nil
}

// appendContent appends what comes between the flags and the headers.
func (p *BasicProperties) appendContent(dst []byte, present PropertySet) []byte {
	if present.Has(PropertyContentType) {
		dst = appendShortstr(dst, p.ContentType)
	}
	if present.Has(PropertyContentEncoding) {
		dst = appendShortstr(dst, p.ContentEncoding)
	}
	return dst
}

func (p *BasicProperties) appendAfterHeaders(dst []byte, present PropertySet) []byte {
	if present.Has(PropertyDeliveryMode) {
		dst = append(dst, p.DeliveryMode)
	}
	if present.Has(PropertyPriority) {
		dst = append(dst, p.Priority)
	}
	if present.Has(PropertyCorrelationId) {
		dst = appendShortstr(dst, p.CorrelationId)
	}
	if present.Has(PropertyReplyTo) {
		dst = appendShortstr(dst, p.ReplyTo)
	}
	if present.Has(PropertyExpiration) {
		dst = appendShortstr(dst, p.Expiration)
	}
	if present.Has(PropertyMessageId) {
		dst = appendShortstr(dst, p.MessageId)
	}
	if present.Has(PropertyTimestamp) {
		var seconds uint64
		if !p.Timestamp.IsZero() {
			seconds = uint64(p.Timestamp.Unix())
		}
		dst = binary.BigEndian.AppendUint64(dst, seconds)
	}
	if present.Has(PropertyType) {
		dst = appendShortstr(dst, p.Type)
	}
	if present.Has(PropertyUserId) {
		dst = appendShortstr(dst, p.UserId)
	}
	if present.Has(PropertyAppId) {
		dst = appendShortstr(dst, p.AppId)
	}
	if present.Has(PropertyClusterId) {
		dst = appendShortstr(dst, p.ClusterId)
	}
	return dst
}

// appendShortstr is for strings that are known to fit.
func appendShortstr(dst []byte, s string) []byte {
	return append(append(dst, byte(len(s))), s...)
}

func (p *BasicProperties) tooLong() error {
	for _, s := range []struct{ name, value string }{
		{"ContentType", p.ContentType},
		{"ContentEncoding", p.ContentEncoding},
		{"CorrelationId", p.CorrelationId},
		{"ReplyTo", p.ReplyTo},
		{"Expiration", p.Expiration},
		{"MessageId", p.MessageId},
		{"Type", p.Type},
		{"UserId", p.UserId},
		{"AppId", p.AppId},
		{"ClusterId", p.ClusterId},
	} {
		if err := checkShortstr(s.name, s.value); err != nil {
			return err
		}
	}
	return nil
}

// maxShortstr is what the length octet of a short string can count
// (specification 4.2.5.3).
const maxShortstr = 255

func checkShortstr(name, s string) error {
	if len(s) <= maxShortstr {
		return nil
	}
	return fmt.Errorf("newapi: %s is %d bytes, at most 255 fit a short string", name, len(s))
}

// ReplyToAddress parses ReplyTo as a PublicationAddress. ok is false when it
// is not one: absent, or the plain name of a queue.
func (p BasicProperties) ReplyToAddress() (addr PublicationAddress, ok bool) {
	addr, err := ParsePublicationAddress(p.ReplyTo)
	return addr, err == nil
}
