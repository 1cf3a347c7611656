package wire

import (
	"encoding/binary"
	"math"
	"time"
)

// DecodeFields decodes the fields of a table (without its size) into a new
// map that shares no memory with fields; it is never nil without an error. Of
// fields with the same name the last one stays.
//
// Tags give the Go types that amqp091-go v1.16.0 gives them: 't' bool, 'b'
// int8, 'B' byte, 's' int16, 'u' uint16, 'I' int32, 'i' uint32, 'l' int64, 'f'
// float32, 'd' float64, 'D' Decimal, 'S' string, 'x' []byte, 'A' []any, 'T'
// time.Time (here in UTC), 'F' Table, 'V' nil. The specification's own 'L' and
// 'U', which older peers send, give int64 and int16.
//
// An unknown tag, a length beyond what is left, or more than 128 levels of
// nesting is an error wrapping ErrSyntax, found before anything is allocated.
// A field of one octet, the smallest there is, becomes an interface value of
// two words; that is the worst growth from bytes to memory.
func DecodeFields(fields []byte) (Table, error) {
	if err := ValidateFields(fields); err != nil {
		return nil, err
	}
	return decodeFields(fields), nil
}

// ValidateFields reports what DecodeFields would, without decoding: nil when
// the fields are well-formed. It does not allocate unless they are not.
func ValidateFields(fields []byte) error {
	return skipFields(fields, 0, 0)
}

// LookupField decodes the one field named key; ok is false when there is none.
// Of fields with the same name it is the last. The value shares no memory with
// fields. Errors are those of DecodeFields: all fields are checked.
func LookupField(fields []byte, key string) (value any, ok bool, err error) {
	found := -1
	for pos := 0; pos < len(fields); {
		name, tag, err := fieldName(fields, pos)
		if err != nil {
			return nil, false, err
		}
		if string(name) == key {
			found = tag
		}
		if pos, err = skipValue(fields, tag, 0); err != nil {
			return nil, false, err
		}
	}
	if found < 0 {
		return nil, false, nil
	}
	value, _ = decodeValue(fields[found:])
	return value, true, nil
}

// ParseTable decodes the table that src begins with, size and fields, and
// returns the number of octets it occupies. Errors are those of DecodeFields.
func ParseTable(src []byte) (t Table, n int, err error) {
	fields, err := tableFields(src, 0)
	if err != nil {
		return nil, 0, err
	}
	return decodeFields(fields), 4 + len(fields), nil
}

// tableFields returns the validated fields of the table at pos.
func tableFields(src []byte, pos int) ([]byte, error) {
	start, end, err := sized(src, pos, "table")
	if err != nil {
		return nil, err
	}
	if err := skipFields(src[:end], start, 0); err != nil {
		return nil, err
	}
	return src[start:end], nil
}

// The skip functions walk what lies between pos and len(src) and find its end
// or what is wrong with it. Callers cut src at the end of the enclosing table
// or array, so offsets in errors count from the start of the input.

func skipFields(src []byte, pos, depth int) error {
	for pos < len(src) {
		_, tag, err := fieldName(src, pos)
		if err != nil {
			return err
		}
		if pos, err = skipValue(src, tag, depth); err != nil {
			return err
		}
	}
	return nil
}

// fieldName returns the name of the field at pos and where its tag is.
func fieldName(src []byte, pos int) (name []byte, tag int, err error) {
	size := int(src[pos])
	tag = pos + 1 + size
	if tag > len(src) {
		return nil, 0, syntaxErrorf(pos, "field name of %d octets, %d left", size, len(src)-pos-1)
	}
	return src[pos+1 : tag], tag, nil
}

// skipValue returns the end of the value whose tag is at pos.
func skipValue(src []byte, pos, depth int) (end int, err error) {
	if pos >= len(src) {
		return 0, syntaxErrorf(pos, "a field's type tag is missing")
	}
	tag := src[pos]
	switch tag {
	case 'S', 'x':
		_, end, err = sized(src, pos+1, "string")
		return end, err
	case 'F', 'A':
		if depth >= maxNesting {
			return 0, syntaxErrorf(pos, "tables and arrays nested deeper than %d levels", maxNesting)
		}
		start, end, err := sized(src, pos+1, "table or array")
		if err != nil {
			return 0, err
		}
		if tag == 'F' {
			return end, skipFields(src[:end], start, depth+1)
		}
		return end, skipArray(src[:end], start, depth+1)
	}
	size := fixedSize(tag)
	if size < 0 {
		return 0, syntaxErrorf(pos, "unknown field type tag %q", tag)
	}
	if end = pos + 1 + size; end > len(src) {
		return 0, syntaxErrorf(pos, "field of type %q needs %d octets, %d left", tag, size, len(src)-pos-1)
	}
	return end, nil
}

func skipArray(src []byte, pos, depth int) (err error) {
	for pos < len(src) {
		if pos, err = skipValue(src, pos, depth); err != nil {
			return err
		}
	}
	return nil
}

// sized returns the bounds of what follows the 32-bit size at pos.
func sized(src []byte, pos int, what string) (start, end int, err error) {
	left := len(src) - pos - 4
	if left < 0 {
		return 0, 0, syntaxErrorf(pos, "size of a %s cut short", what)
	}
	size := binary.BigEndian.Uint32(src[pos:])
	if uint64(size) > uint64(left) {
		return 0, 0, syntaxErrorf(pos, "%s of %d octets, %d left", what, size, left)
	}
	return pos + 4, pos + 4 + int(size), nil
}

// fixedSize returns the size of the values whose tag alone tells it, -1 for
// other tags.
func fixedSize(tag byte) int {
	switch tag {
	case 'V':
		return 0
	case 't', 'b', 'B':
		return 1
	case 's', 'u', 'U':
		return 2
	case 'I', 'i', 'f':
		return 4
	case 'D':
		return 5
	case 'l', 'L', 'd', 'T':
		return 8
	}
	return -1
}

// The decode functions trust bytes that a skip function has walked.

func decodeFields(src []byte) Table {
	t := make(Table)
	for len(src) > 0 {
		size := int(src[0])
		name := string(src[1 : 1+size])
		t[name], src = decodeValue(src[1+size:])
	}
	return t
}

func decodeArray(src []byte) []any {
	var values []any
	for len(src) > 0 {
		var v any
		v, src = decodeValue(src)
		values = append(values, v)
	}
	return values
}

// decodeValue decodes the value whose tag src begins with and returns what
// follows it.
func decodeValue(src []byte) (v any, rest []byte) {
	tag, src := src[0], src[1:]
	size := fixedSize(tag)
	if size < 0 {
		size = int(binary.BigEndian.Uint32(src))
		src = src[4:]
	}
	b, rest := src[:size], src[size:]
	switch tag {
	case 't':
		return b[0] != 0, rest
	case 'b':
		return int8(b[0]), rest
	case 'B':
		return b[0], rest
	case 's', 'U':
		return int16(binary.BigEndian.Uint16(b)), rest
	case 'u':
		return binary.BigEndian.Uint16(b), rest
	case 'I':
		return int32(binary.BigEndian.Uint32(b)), rest
	case 'i':
		return binary.BigEndian.Uint32(b), rest
	case 'l', 'L':
		return int64(binary.BigEndian.Uint64(b)), rest
	case 'f':
		return math.Float32frombits(binary.BigEndian.Uint32(b)), rest
	case 'd':
		return math.Float64frombits(binary.BigEndian.Uint64(b)), rest
	case 'D':
		return Decimal{Scale: b[0], Value: int32(binary.BigEndian.Uint32(b[1:]))}, rest
	case 'S':
		return string(b), rest
	case 'x':
		return append(make([]byte, 0, len(b)), b...), rest
	case 'A':
		return decodeArray(b), rest
	case 'T':
		return time.Unix(int64(binary.BigEndian.Uint64(b)), 0).UTC(), rest
	case 'F':
		return decodeFields(b), rest
	default: // 'V'
		return nil, rest
	}
}
