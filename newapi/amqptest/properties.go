package amqptest

import (
	"encoding/binary"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// propertyList is an encoded property list taken apart: the values of those
// properties that are present, as wire.Property returns them.
type propertyList map[wire.PropertyFlags][]byte

// splitProperties takes validated bytes apart. The values are views.
func splitProperties(encoded []byte) propertyList {
	list := make(propertyList)
	for flag := wire.FlagContentType; flag >= wire.FlagClusterID; flag >>= 1 {
		if value, ok := wire.Property(encoded, flag); ok {
			list[flag] = value
		}
	}
	return list
}

func (l propertyList) set(flag wire.PropertyFlags, value []byte) { l[flag] = value }

func (l propertyList) clear(flag wire.PropertyFlags) { delete(l, flag) }

// join encodes the list. Properties that were not set anew come out byte by
// byte as they went in.
func (l propertyList) join() []byte {
	var flags wire.PropertyFlags
	out := make([]byte, 2)
	for flag := wire.FlagContentType; flag >= wire.FlagClusterID; flag >>= 1 {
		value, ok := l[flag]
		if !ok {
			continue
		}
		flags |= flag
		switch flag {
		case wire.FlagDeliveryMode, wire.FlagPriority, wire.FlagTimestamp:
		case wire.FlagHeaders:
			out = binary.BigEndian.AppendUint32(out, uint32(len(value)))
		default:
			out = append(out, byte(len(value)))
		}
		out = append(out, value...)
	}
	binary.BigEndian.PutUint16(out, uint16(flags))
	return out
}

// withoutField returns the fields of a table, validated, but for those of that
// name. Every other field stays as it is, and where it is.
func withoutField(fields []byte, name string) []byte {
	kept := make([]byte, 0, len(fields))
	for len(fields) > 0 {
		value := 1 + int(fields[0])
		end := value + fieldSize(fields[value:])
		if string(fields[1:value]) != name {
			kept = append(kept, fields[:end]...)
		}
		fields = fields[end:]
	}
	return kept
}

// fieldSize returns how many octets a validated field value takes, its type
// octet included.
func fieldSize(value []byte) int {
	switch value[0] {
	case 'V':
		return 1
	case 't', 'b', 'B':
		return 2
	case 's', 'u', 'U':
		return 3
	case 'I', 'i', 'f':
		return 5
	case 'D':
		return 6
	case 'l', 'L', 'd', 'T':
		return 9
	default: // S, x, A and F begin with their size
		return 5 + int(binary.BigEndian.Uint32(value[1:]))
	}
}
