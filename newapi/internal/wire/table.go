package wire

import (
	"encoding/binary"
	"math"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

// Table is a field table (section 4.2.5.5), one type with amqp091-go's.
type Table = amqp091.Table

// Decimal is the decimal field value, one type with amqp091-go's.
type Decimal = amqp091.Decimal

// maxNesting is how many tables and arrays may lie within each other. It
// bounds the stack while hostile bytes are decoded, and stops the encoding of
// a map that contains itself.
const maxNesting = 128

// AppendTable appends t as a field table: a 32-bit size, then the fields in
// the map's order, which is none. A nil map is an empty table. On error, a
// *FieldError, it returns dst with its length unchanged.
//
// Values are encoded as AppendFieldValue says. t is only read.
func AppendTable(dst []byte, t map[string]any) ([]byte, error) {
	out, ferr := appendTable(dst, t, 0)
	return settle(out, len(dst), ferr)
}

// AppendFields is AppendTable without the size.
func AppendFields(dst []byte, t map[string]any) ([]byte, error) {
	out, ferr := appendFields(dst, t, 0)
	return settle(out, len(dst), ferr)
}

// AppendField appends one field: name, type tag and value. Errors are those of
// AppendFields.
func AppendField(dst []byte, name string, v any) ([]byte, error) {
	out, ferr := appendField(dst, name, v, 0)
	return settle(out, len(dst), ferr)
}

// AppendFieldName appends the name of a field, a short string; a value must
// follow. A name longer than 255 octets is a *ShortstrError and appends
// nothing.
func AppendFieldName(dst []byte, name string) ([]byte, error) {
	return AppendShortstr(dst, name)
}

// AppendFieldValue appends a field's type tag and value:
//
//	bool                      't'
//	int8, uint8               'b', 'B'
//	int16, uint16             's', 'u'
//	int32, uint32             'I', 'i'
//	int64                     'l'
//	int                       'I' while it fits 32 bits, else 'l'
//	uint, uint64              'l'; above math.MaxInt64 an error
//	float32, float64          'f', 'd'
//	string                    'S'
//	[]byte                    'x', other byte slices and byte arrays too
//	time.Time                 'T', in whole seconds
//	Decimal                   'D'
//	Table, map[string]any     'F', other maps with string keys too
//	[]any, []string           'A', other slices and arrays too
//	nil                       'V'
//
// These are the tags amqp091-go v1.16.0 writes, for all values it writes
// whole. A program's own type made of a boolean, number, string, slice, array
// or map is encoded as what it is made of. Anything else, and nesting deeper
// than 128 levels, is a *FieldError; dst keeps its length then.
func AppendFieldValue(dst []byte, v any) ([]byte, error) {
	out, ferr := appendValue(dst, v, 0)
	return settle(out, len(dst), ferr)
}

// settle takes back what a failed append left behind, and makes a nil
// *FieldError a nil error.
func settle(out []byte, start int, ferr *FieldError) ([]byte, error) {
	if ferr != nil {
		return out[:start], ferr
	}
	return out, nil
}

func appendTable(dst []byte, t map[string]any, depth int) ([]byte, *FieldError) {
	dst, start := reserveSize(dst)
	dst, ferr := appendFields(dst, t, depth)
	return fillSize(dst, start), ferr
}

func appendFields(dst []byte, t map[string]any, depth int) ([]byte, *FieldError) {
	for name, v := range t {
		var ferr *FieldError
		if dst, ferr = appendField(dst, name, v, depth); ferr != nil {
			return dst, ferr
		}
	}
	return dst, nil
}

func appendField(dst []byte, name string, v any, depth int) ([]byte, *FieldError) {
	dst, err := AppendFieldName(dst, name)
	if err != nil {
		return dst, fieldNameError(name, v, err)
	}
	dst, ferr := appendValue(dst, v, depth)
	if ferr != nil {
		ferr.within(name)
	}
	return dst, ferr
}

func appendArray(dst []byte, values []any, depth int) ([]byte, *FieldError) {
	if depth >= maxNesting {
		return dst, nestingError(values)
	}
	dst, start := reserveSize(append(dst, 'A'))
	for i, v := range values {
		var ferr *FieldError
		if dst, ferr = appendValue(dst, v, depth+1); ferr != nil {
			ferr.withinIndex(i)
			return dst, ferr
		}
	}
	return fillSize(dst, start), nil
}

func appendStrings(dst []byte, values []string, depth int) ([]byte, *FieldError) {
	if depth >= maxNesting {
		return dst, nestingError(values)
	}
	dst, start := reserveSize(append(dst, 'A'))
	for _, v := range values {
		dst = AppendStringValue(dst, v)
	}
	return fillSize(dst, start), nil
}

// appendValue tries the types that headers are made of first and leaves the
// rest to reflection.
func appendValue(dst []byte, v any, depth int) ([]byte, *FieldError) {
	switch v := v.(type) {
	case string:
		return AppendStringValue(dst, v), nil
	case int:
		return appendIntValue(dst, int64(v)), nil
	case int64:
		return AppendInt64Value(dst, v), nil
	case int32:
		return AppendInt32Value(dst, v), nil
	case bool:
		return AppendBoolValue(dst, v), nil
	case float64:
		return AppendFloat64Value(dst, v), nil
	case time.Time:
		return AppendTimeValue(dst, v), nil
	case []byte:
		return AppendBytesValue(dst, v), nil
	case Table:
		return appendNested(dst, v, depth)
	case map[string]any:
		return appendNested(dst, v, depth)
	case []any:
		return appendArray(dst, v, depth)
	case []string:
		return appendStrings(dst, v, depth)
	case nil:
		return append(dst, 'V'), nil
	case uint8:
		return append(dst, 'B', v), nil
	case int8:
		return append(dst, 'b', byte(v)), nil
	case int16:
		return append(dst, 's', byte(v>>8), byte(v)), nil
	case uint16:
		return append(dst, 'u', byte(v>>8), byte(v)), nil
	case uint32:
		return binary.BigEndian.AppendUint32(append(dst, 'i'), v), nil
	case float32:
		return binary.BigEndian.AppendUint32(append(dst, 'f'), math.Float32bits(v)), nil
	case Decimal:
		return binary.BigEndian.AppendUint32(append(dst, 'D', v.Scale), uint32(v.Value)), nil
	default:
		return appendReflected(dst, v, depth)
	}
}

func appendNested(dst []byte, t map[string]any, depth int) ([]byte, *FieldError) {
	if depth >= maxNesting {
		return dst, nestingError(t)
	}
	return appendTable(append(dst, 'F'), t, depth+1)
}

// appendIntValue appends an int: as long as it fits, in the 32 bits that
// amqp091-go cuts every int to.
func appendIntValue(dst []byte, v int64) []byte {
	if v < math.MinInt32 || v > math.MaxInt32 {
		return AppendInt64Value(dst, v)
	}
	return AppendInt32Value(dst, int32(v))
}

// AppendStringValue appends v as AppendFieldValue does, without the interface.
func AppendStringValue(dst []byte, v string) []byte {
	return AppendLongstr(append(dst, 'S'), v)
}

// AppendBytesValue appends v as AppendFieldValue does, without the interface.
func AppendBytesValue(dst []byte, v []byte) []byte {
	dst = binary.BigEndian.AppendUint32(append(dst, 'x'), uint32(len(v)))
	return append(dst, v...)
}

// AppendInt64Value appends v as AppendFieldValue does, without the interface.
func AppendInt64Value(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, 'l'), uint64(v))
}

// AppendInt32Value appends v as AppendFieldValue does, without the interface.
func AppendInt32Value(dst []byte, v int32) []byte {
	return binary.BigEndian.AppendUint32(append(dst, 'I'), uint32(v))
}

// AppendBoolValue appends v as AppendFieldValue does, without the interface.
func AppendBoolValue(dst []byte, v bool) []byte {
	return append(dst, 't', bit(v, 0))
}

// AppendFloat64Value appends v as AppendFieldValue does, without the
// interface.
func AppendFloat64Value(dst []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, 'd'), math.Float64bits(v))
}

// AppendTimeValue appends v as AppendFieldValue does, without the interface.
func AppendTimeValue(dst []byte, v time.Time) []byte {
	return binary.BigEndian.AppendUint64(append(dst, 'T'), uint64(v.Unix()))
}

// reserveSize makes room for the size of a table or array; fillSize sets it
// once the contents are there.
func reserveSize(dst []byte) (_ []byte, start int) {
	return append(dst, 0, 0, 0, 0), len(dst)
}

func fillSize(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}
