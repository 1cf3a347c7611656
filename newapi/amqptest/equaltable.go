package amqptest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// tableField is one field of a header table as it was sent: its name, the tag of
// its type, and the octets of its value, without the size that strings, arrays
// and tables begin with. Values of arrays have no name.
type tableField struct {
	name  string
	tag   byte
	value []byte
}

// diffTable says how the fields of one table differ from those of another. path
// is the key path of the table, empty for the headers themselves.
func diffTable(path string, want, got []byte) []string {
	wants, gots := splitTable(want), splitTable(got)
	byName := func(a, b tableField) int { return strings.Compare(a.name, b.name) }
	// Stable: of fields with one name the last is the value, their order counts.
	slices.SortStableFunc(wants, byName)
	slices.SortStableFunc(gots, byName)

	var whats []string
	for len(wants) > 0 || len(gots) > 0 {
		order := 0
		switch {
		case len(wants) == 0:
			order = 1
		case len(gots) == 0:
			order = -1
		default:
			order = byName(wants[0], gots[0])
		}
		switch {
		case order < 0:
			w := wants[0]
			whats = append(whats, fmt.Sprintf("header %s: want %s, got none", path+w.name, showField(w.tag, w.value)))
			wants = wants[1:]
		case order > 0:
			g := gots[0]
			whats = append(whats, fmt.Sprintf("header %s: want none, got %s", path+g.name, showField(g.tag, g.value)))
			gots = gots[1:]
		default:
			whats = append(whats, diffField(path+wants[0].name, wants[0], gots[0])...)
			wants, gots = wants[1:], gots[1:]
		}
	}
	return whats
}

// diffField compares two values at one key path.
func diffField(path string, want, got tableField) []string {
	switch {
	case want.tag == got.tag && bytes.Equal(want.value, got.value):
		return nil
	case want.tag == 'F' && got.tag == 'F':
		return diffTable(path+".", want.value, got.value)
	case want.tag == 'A' && got.tag == 'A':
		wants, gots := splitArray(want.value), splitArray(got.value)
		if len(wants) != len(gots) {
			break
		}
		var whats []string
		for i := range wants {
			whats = append(whats, diffField(fmt.Sprintf("%s[%d]", path, i), wants[i], gots[i])...)
		}
		return whats
	}
	return []string{fmt.Sprintf("header %s: want %s, got %s", path, showField(want.tag, want.value), showField(got.tag, got.value))}
}

// The split functions take tables and arrays apart that have been validated, as
// all received properties have.

func splitTable(src []byte) []tableField {
	var fields []tableField
	for len(src) > 0 {
		size := int(src[0])
		name := string(src[1 : 1+size])
		var f tableField
		f, src = cutValue(src[1+size:])
		f.name = name
		fields = append(fields, f)
	}
	return fields
}

func splitArray(src []byte) []tableField {
	var values []tableField
	for len(src) > 0 {
		var f tableField
		f, src = cutValue(src)
		values = append(values, f)
	}
	return values
}

// cutValue cuts the value off whose tag src begins with.
func cutValue(src []byte) (f tableField, rest []byte) {
	tag, src := src[0], src[1:]
	size := 0
	switch tag {
	case 'V':
	case 't', 'b', 'B':
		size = 1
	case 's', 'u', 'U':
		size = 2
	case 'I', 'i', 'f':
		size = 4
	case 'D':
		size = 5
	case 'l', 'L', 'd', 'T':
		size = 8
	case 'S', 'x', 'A', 'F':
		size = int(binary.BigEndian.Uint32(src))
		src = src[4:]
	default:
		panic(fmt.Sprintf("amqptest: field type tag %q in validated properties", tag))
	}
	return tableField{tag: tag, value: src[:size]}, src[size:]
}

// showField writes a value with its tag, which may be all that differs: 'I' 7.
func showField(tag byte, value []byte) string {
	switch tag {
	case 'F':
		return fmt.Sprintf("'F' %v", decoded(wire.DecodeFields(value)))
	case 'S', 'x':
		return fmt.Sprintf("%q %q", tag, value)
	}
	// A table of one nameless field decodes any other value.
	field := []byte{0, tag}
	if tag == 'A' {
		field = binary.BigEndian.AppendUint32(field, uint32(len(value)))
	}
	return fmt.Sprintf("%q %v", tag, decoded(wire.DecodeFields(append(field, value...)))[""])
}

func decoded(t wire.Table, err error) wire.Table {
	if err != nil {
		panic("amqptest: validated properties do not decode: " + err.Error())
	}
	return t
}
