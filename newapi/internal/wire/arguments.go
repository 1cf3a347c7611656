package wire

import (
	"encoding/binary"
	"fmt"
)

// encoder appends the arguments of a method. Its first error sticks, names the
// argument, and takes back what was appended.
type encoder struct {
	dst   []byte
	start int
	err   error
}

func encode(dst []byte) encoder { return encoder{dst: dst, start: len(dst)} }

func (e *encoder) octet(v uint8) { e.dst = append(e.dst, v) }

func (e *encoder) short(v uint16) { e.dst = binary.BigEndian.AppendUint16(e.dst, v) }

func (e *encoder) long(v uint32) { e.dst = binary.BigEndian.AppendUint32(e.dst, v) }

func (e *encoder) longlong(v uint64) { e.dst = binary.BigEndian.AppendUint64(e.dst, v) }

func (e *encoder) longstr(s string) { e.dst = AppendLongstr(e.dst, s) }

func (e *encoder) shortstr(argument, s string) {
	var err error
	e.dst, err = AppendShortstr(e.dst, s)
	e.fail(argument, err)
}

func (e *encoder) table(argument string, t Table) {
	var err error
	e.dst, err = AppendTable(e.dst, t)
	e.fail(argument, err)
}

// bits appends consecutive bit arguments, which share octets from the lowest
// bit up (section 4.2.5.2). No method has more than eight of them.
func (e *encoder) bits(values ...bool) {
	var octet byte
	for n, v := range values {
		octet |= bit(v, n)
	}
	e.dst = append(e.dst, octet)
}

func (e *encoder) fail(argument string, err error) {
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%s: %w", argument, err)
	}
}

func (e *encoder) finish() ([]byte, error) {
	if e.err != nil {
		return e.dst[:e.start], e.err
	}
	return e.dst, nil
}

// decoder reads the arguments of a method. Its first error sticks; from then
// on it reads zero values.
type decoder struct {
	src []byte
	pos int
	err error
}

// take returns the next n octets as a view, nil when they are not there.
func (d *decoder) take(n int, what string) []byte {
	if d.err != nil {
		return nil
	}
	end := d.pos + n
	if end > len(d.src) {
		d.err = syntaxErrorf(d.pos, "%s needs %d octets, %d left", what, n, len(d.src)-d.pos)
		return nil
	}
	b := d.src[d.pos:end:end]
	d.pos = end
	return b
}

func (d *decoder) octet() uint8 {
	if b := d.take(1, "octet"); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) short() uint16 {
	if b := d.take(2, "short integer"); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) long() uint32 {
	if b := d.take(4, "long integer"); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) longlong() uint64 {
	if b := d.take(8, "long long integer"); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) shortstrBytes() []byte {
	return d.take(int(d.octet()), "short string")
}

func (d *decoder) shortstr() string { return string(d.shortstrBytes()) }

func (d *decoder) longstr() string {
	if d.err != nil {
		return ""
	}
	start, end, err := sized(d.src, d.pos, "long string")
	if err != nil {
		d.err = err
		return ""
	}
	d.pos = end
	return string(d.src[start:end])
}

func (d *decoder) table() Table {
	if d.err != nil {
		return nil
	}
	fields, err := tableFields(d.src, d.pos)
	if err != nil {
		d.err = err
		return nil
	}
	d.pos += 4 + len(fields)
	return decodeFields(fields)
}

// bits reads consecutive bit arguments, which share octets from the lowest bit
// up (section 4.2.5.2).
func (d *decoder) bits(values ...*bool) {
	octet := d.octet()
	for n, v := range values {
		*v = octet&(1<<n) != 0
	}
}

// finish returns the first error; octets that no argument claimed are one.
func (d *decoder) finish() error {
	if d.err == nil && d.pos != len(d.src) {
		d.err = syntaxErrorf(d.pos, "%d octets after the last argument", len(d.src)-d.pos)
	}
	return d.err
}
