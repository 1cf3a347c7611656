package newapi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// HeaderTable is a message's headers in a form of the caller's own, such as a
// struct with one field per header: what a program sends with every message
// then needs no map, no boxed values and no allocation.
//
// Implementations are one call per header to the Append…Field functions:
//
//	func (t trace) AppendFields(dst []byte) ([]byte, error) {
//		dst, err := newapi.AppendStringField(dst, "trace-id", t.id)
//		if err != nil {
//			return dst, err
//		}
//		return newapi.AppendInt32Field(dst, "attempt", t.attempt)
//	}
type HeaderTable interface {
	// AppendFields appends each header's name, type tag and value to dst
	// (specification 4.2.5.5, without the table's length) and returns the
	// extended slice, as append does. It must not keep either slice. Nothing
	// appended means no headers. Names should differ: of two equal ones
	// receivers see the last, if they take such a table at all.
	//
	// What was appended is checked before it is sent. It is called with no
	// lock held, in the goroutine that publishes.
	AppendFields(dst []byte) ([]byte, error)
}

// BasicPropertiesOf is BasicProperties with the caller's own header table in
// place of the map. Setting both Headers is an error; when H appends nothing,
// BasicProperties.Headers counts, so that either can be left empty. A nil
// interface in Headers appends nothing.
type BasicPropertiesOf[H HeaderTable] struct {
	BasicProperties
	Headers H
}

// WithHeaders returns p with h as its headers; H need not be spelled out.
func WithHeaders[H HeaderTable](p BasicProperties, h H) BasicPropertiesOf[H] {
	return BasicPropertiesOf[H]{BasicProperties: p, Headers: h}
}

// sizeMark stands where a table's size goes until its fields are known. It
// being gone tells that AppendFields did not append.
const sizeMark = "\xa7\x1e\xd3\x68"

var errTwoHeaders = errors.New("newapi: BasicPropertiesOf has headers in Headers and in BasicProperties.Headers; set one of them")

// AppendHeader appends the encoded properties to dst; it implements
// AMQPHeader. The error is that of AppendFields, or it names the property that
// cannot be sent; dst is returned as it was then.
func (p BasicPropertiesOf[H]) AppendHeader(dst []byte) ([]byte, error) {
	start := len(dst)
	present := p.present()
	out, err := p.appendBeforeHeaders(dst, present)
	if err != nil {
		return dst, err
	}
	before := len(out)
	out = append(out, sizeMark...)
	if any(p.Headers) != nil {
		if out, err = p.Headers.AppendFields(out); err != nil {
			return dst, err
		}
		if err := checkFields(out, before); err != nil {
			return dst, fmt.Errorf("newapi: HeaderTable %T %w", p.Headers, err)
		}
		// Once more, in place: AppendFields had it in its hands. So had it the flags,
		// which follow at the end.
		p.appendContent(out[:start+2], present)
	}
	size := len(out) - before - len(sizeMark)
	switch {
	case size == 0:
		out = out[:before]
		if present.Has(PropertyHeaders) {
			if out, err = wire.AppendTable(out, p.BasicProperties.Headers); err != nil {
				return dst, newHeaderError("", err)
			}
		}
	case len(p.BasicProperties.Headers) > 0:
		return dst, errTwoHeaders
	default:
		present |= PropertyHeaders
		binary.BigEndian.PutUint32(out[before:], uint32(size))
	}
	binary.BigEndian.PutUint16(out[start:], uint16(present))
	return p.appendAfterHeaders(out, present), nil
}

// checkFields checks what an AppendFields made of a slice of before octets and
// the sizeMark.
func checkFields(out []byte, before int) error {
	fields := before + len(sizeMark)
	if len(out) < fields || string(out[before:fields]) != sizeMark {
		return errNotAppended
	}
	if size := len(out) - fields; uint64(size) > math.MaxUint32 {
		return fmt.Errorf("appended %d bytes, more than a table can hold", size)
	}
	if err := wire.ValidateFields(out[fields:]); err != nil {
		return fmt.Errorf("appended malformed fields: %w", err)
	}
	return nil
}

// Present returns the properties that publishing p puts on the wire. It calls
// AppendFields to learn whether there are headers; should that fail, as
// publishing then would, they count as present.
func (p BasicPropertiesOf[H]) Present() PropertySet {
	present := p.present()
	if present.Has(PropertyHeaders) || any(p.Headers) == nil {
		return present
	}
	l := lent.Get().(*scratch)
	out, err := p.Headers.AppendFields(l.start())
	if err != nil || len(out) != len(guard) {
		present |= PropertyHeaders
	}
	l.recycleTo(&lent, 0)
	return present
}

// Field is one header: a name of at most 255 bytes and a value of a type that
// a Table takes.
type Field struct {
	Name  string
	Value any
}

// Fields is a HeaderTable that keeps its order: headers are sent as they stand,
// where those of a Table come in a new order each time.
type Fields []Field

// AppendFields appends every field to dst; it implements HeaderTable.
func (f Fields) AppendFields(dst []byte) ([]byte, error) {
	out := dst
	for _, field := range f {
		var err error
		if out, err = AppendField(out, field.Name, field.Value); err != nil {
			return dst, err
		}
	}
	return out, nil
}

// The Append…Field functions are for implementations of HeaderTable: each
// appends one header to dst and returns the extended slice. The only error of
// the typed ones is a name of more than 255 bytes; dst is returned as it was
// then. They allocate nothing unless dst must grow.

// AppendStringField appends a header with a string value (tag 'S').
func AppendStringField(dst []byte, name, value string) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendStringValue(out, value), nil
}

// AppendInt64Field appends a header with a signed 64-bit value (tag 'l').
func AppendInt64Field(dst []byte, name string, value int64) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendInt64Value(out, value), nil
}

// AppendInt32Field appends a header with a signed 32-bit value (tag 'I'), the
// form that RabbitMQ's own headers and arguments have.
func AppendInt32Field(dst []byte, name string, value int32) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendInt32Value(out, value), nil
}

// AppendBoolField appends a header with a boolean value (tag 't').
func AppendBoolField(dst []byte, name string, value bool) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendBoolValue(out, value), nil
}

// AppendFloat64Field appends a header with a double-precision value (tag 'd').
func AppendFloat64Field(dst []byte, name string, value float64) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendFloat64Value(out, value), nil
}

// AppendTimeField appends a header with a timestamp value (tag 'T'): whole
// seconds since 1970.
func AppendTimeField(dst []byte, name string, value time.Time) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendTimeValue(out, value), nil
}

// AppendBytesField appends a header with a byte array value (tag 'x').
func AppendBytesField(dst []byte, name string, value []byte) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	return wire.AppendBytesValue(out, value), nil
}

// AppendField appends a header whose value is of any type that a Table takes,
// encoded as in a Table. The error names the value by its path and is
// ErrFieldType when the type, or an integer's size, has no form in AMQP.
func AppendField(dst []byte, name string, value any) ([]byte, error) {
	out, err := appendFieldName(dst, name)
	if err != nil {
		return dst, err
	}
	if out, err = wire.AppendFieldValue(out, value); err != nil {
		return dst, newHeaderError(name, err)
	}
	return out, nil
}

func appendFieldName(dst []byte, name string) ([]byte, error) {
	out, err := wire.AppendFieldName(dst, name)
	if err != nil {
		return dst, newHeaderError(name, err)
	}
	return out, nil
}
