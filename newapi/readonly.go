package newapi

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unsafe"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// ReadOnlyBasicProperties are the properties of a received message: a view of
// the bytes that came, decoded as they are asked for. A Delivery and a Return
// embed it, so that d.ContentType() reads a delivery's content type.
//
// It was checked as a whole when it was received, so no accessor can fail: an
// absent property reads as its zero value, and Present tells absent from zero.
// The strings handed out are views of the delivery's memory, which nobody
// changes; keeping one keeps that memory.
//
// It is a small value, two words, to be copied and shared between goroutines
// freely, and an AMQPHeader: publishing it sends on what came, byte for byte.
// Values are equal under == if they encode the same properties in the same
// bytes. The zero value has no properties. ReadOnly makes one for a test;
// Struct turns one into a BasicProperties that can be changed.
type ReadOnlyBasicProperties struct {
	// encoded holds the property flags and the property list, as
	// wire.ValidateProperties accepts them, and is empty if there are none. It
	// is a string because a string's bytes stay as they are.
	encoded string
}

// newReadOnly views bytes that wire.ValidateProperties has accepted. They must
// not change any more.
func newReadOnly(validated []byte) ReadOnlyBasicProperties {
	if wire.Flags(validated) == 0 {
		return ReadOnlyBasicProperties{}
	}
	return ReadOnlyBasicProperties{view(validated)}
}

// ReadOnly encodes properties as publishing them would and returns what a
// receiver then sees; the result keeps no reference to properties. It is made
// for tests of consumers and for fakes of a Publisher. The errors are those of
// BasicPublish.
func ReadOnly[P AMQPHeader](properties P) (ReadOnlyBasicProperties, error) {
	s := scratches.Get().(*scratch)
	header, err := encodeHeader(s, &properties)
	if err != nil {
		s.recycle(0)
		return ReadOnlyBasicProperties{}, err
	}
	p := newReadOnly([]byte(string(header)))
	s.recycle(len(header))
	return p, nil
}

// view returns b as a string without a copy.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// bytes returns the encoded properties for reading only.
func (p ReadOnlyBasicProperties) bytes() []byte {
	return unsafe.Slice(unsafe.StringData(p.encoded), len(p.encoded))
}

func (p ReadOnlyBasicProperties) property(of PropertySet) (value []byte, ok bool) {
	return wire.Property(p.bytes(), wire.PropertyFlags(of))
}

func (p ReadOnlyBasicProperties) shortstr(of PropertySet) string {
	value, _ := p.property(of)
	return view(value)
}

func (p ReadOnlyBasicProperties) octet(of PropertySet) uint8 {
	if value, ok := p.property(of); ok {
		return value[0]
	}
	return 0
}

// Present returns the properties that the message carries, zero or not.
func (p ReadOnlyBasicProperties) Present() PropertySet {
	return PropertySet(wire.Flags(p.bytes()))
}

// ContentType returns the MIME type of the body.
func (p ReadOnlyBasicProperties) ContentType() string { return p.shortstr(PropertyContentType) }

// ContentEncoding returns the encoding of the body, such as gzip. The body is
// as it was sent.
func (p ReadOnlyBasicProperties) ContentEncoding() string {
	return p.shortstr(PropertyContentEncoding)
}

// Headers decodes the headers into a map of its own on each call, which the
// caller may change. It is nil when the message has none, and empty when it
// came with an empty table. Values have the types that amqp091-go gives them;
// of two headers with one name the last counts. To read a single one, Header
// is cheaper.
func (p ReadOnlyBasicProperties) Headers() Table {
	fields, ok := p.property(PropertyHeaders)
	if !ok {
		return nil
	}
	headers, _ := wire.DecodeFields(fields)
	return headers
}

// Header returns the value of one header, as Headers()[name] would be, and
// whether the message has it. It decodes only that value.
func (p ReadOnlyBasicProperties) Header(name string) (value any, ok bool) {
	fields, ok := p.property(PropertyHeaders)
	if !ok {
		return nil, false
	}
	value, ok, _ = wire.LookupField(fields, name)
	return value, ok
}

// DeliveryMode returns Transient, Persistent, or 0 when the message does not
// say.
func (p ReadOnlyBasicProperties) DeliveryMode() uint8 { return p.octet(PropertyDeliveryMode) }

// Priority returns the message's priority.
func (p ReadOnlyBasicProperties) Priority() uint8 { return p.octet(PropertyPriority) }

// CorrelationId returns, in a reply, which request it answers.
func (p ReadOnlyBasicProperties) CorrelationId() string { return p.shortstr(PropertyCorrelationId) }

// ReplyTo returns where the sender wants the answer; see ReplyToAddress.
func (p ReadOnlyBasicProperties) ReplyTo() string { return p.shortstr(PropertyReplyTo) }

// Expiration returns the time to live in milliseconds, as the sender wrote it.
func (p ReadOnlyBasicProperties) Expiration() string { return p.shortstr(PropertyExpiration) }

// MessageId returns the sender's name for the message.
func (p ReadOnlyBasicProperties) MessageId() string { return p.shortstr(PropertyMessageId) }

// Timestamp returns the sender's time, in UTC and whole seconds, or the zero
// Time when the message has none. Senders may write any 64 bits; those beyond
// the year 292277026596 read as times before 1970.
func (p ReadOnlyBasicProperties) Timestamp() time.Time {
	value, ok := p.property(PropertyTimestamp)
	if !ok {
		return time.Time{}
	}
	t := time.Unix(int64(binary.BigEndian.Uint64(value)), 0).UTC()
	if t.IsZero() {
		t = t.Add(1) // a nanosecond, not sent on, keeps it apart from absent
	}
	return t
}

// Type returns the sender's name for the kind of message.
func (p ReadOnlyBasicProperties) Type() string { return p.shortstr(PropertyType) }

// UserId returns the user that the sender authenticated as; the broker has
// checked it.
func (p ReadOnlyBasicProperties) UserId() string { return p.shortstr(PropertyUserId) }

// AppId returns the name of the application that sent the message.
func (p ReadOnlyBasicProperties) AppId() string { return p.shortstr(PropertyAppId) }

// ClusterId returns the property that early drafts routed by; brokers pass it
// on.
func (p ReadOnlyBasicProperties) ClusterId() string { return p.shortstr(PropertyClusterId) }

// ReplyToAddress parses ReplyTo as a PublicationAddress. ok is false when it
// is not one: absent, or the plain name of a queue.
func (p ReadOnlyBasicProperties) ReplyToAddress() (addr PublicationAddress, ok bool) {
	addr, err := ParsePublicationAddress(p.ReplyTo())
	return addr, err == nil
}

// AppendHeader appends the properties to dst as they were received, byte for
// byte; it implements AMQPHeader. It never fails.
func (p ReadOnlyBasicProperties) AppendHeader(dst []byte) ([]byte, error) {
	if p.encoded == "" {
		return append(dst, 0, 0), nil
	}
	return append(dst, p.encoded...), nil
}

// Struct returns the properties as a BasicProperties, to be changed and
// published. Its Headers is a map of its own, and nil when the message has none,
// as that of Headers() is: make one before writing to it. SendZero names those
// properties that came with a zero value, so that publishing it unchanged sends
// what was received (the headers in the order of a map).
func (p ReadOnlyBasicProperties) Struct() BasicProperties {
	s := BasicProperties{
		ContentType:     p.ContentType(),
		ContentEncoding: p.ContentEncoding(),
		Headers:         p.Headers(),
		DeliveryMode:    p.DeliveryMode(),
		Priority:        p.Priority(),
		CorrelationId:   p.CorrelationId(),
		ReplyTo:         p.ReplyTo(),
		Expiration:      p.Expiration(),
		MessageId:       p.MessageId(),
		Timestamp:       p.Timestamp(),
		Type:            p.Type(),
		UserId:          p.UserId(),
		AppId:           p.AppId(),
		ClusterId:       p.ClusterId(),
	}
	s.SendZero = p.Present() &^ s.present()
	return s
}

// String lists the properties that are present, in wire order, for people to
// read: {ContentType:"text/plain" Priority:5}.
func (p ReadOnlyBasicProperties) String() string {
	var b strings.Builder
	present := p.Present()
	separator := '{'
	for i, name := range propertyNames {
		property := PropertyContentType >> i
		if !present.Has(property) {
			continue
		}
		b.WriteRune(separator)
		separator = ' '
		b.WriteString(name)
		switch property {
		case PropertyHeaders:
			fmt.Fprintf(&b, ":%v", p.Headers())
		case PropertyDeliveryMode, PropertyPriority:
			fmt.Fprintf(&b, ":%d", p.octet(property))
		case PropertyTimestamp:
			b.WriteString(p.Timestamp().Format(":" + time.RFC3339))
		default:
			fmt.Fprintf(&b, ":%q", p.shortstr(property))
		}
	}
	if present == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.String()
}
