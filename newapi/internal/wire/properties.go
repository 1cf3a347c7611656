package wire

import (
	"encoding/binary"
	"math/bits"
)

// PropertyFlags is the first part of a property list: which of the 14
// properties of class basic follow, in the order of the constants (section
// 4.2.6.1). Bit 1 has no property; bit 0 would announce another word of flags,
// which class basic never has.
type PropertyFlags uint16

// The property flags of class basic.
const (
	FlagContentType     PropertyFlags = 1 << 15
	FlagContentEncoding PropertyFlags = 1 << 14
	FlagHeaders         PropertyFlags = 1 << 13
	FlagDeliveryMode    PropertyFlags = 1 << 12
	FlagPriority        PropertyFlags = 1 << 11
	FlagCorrelationID   PropertyFlags = 1 << 10
	FlagReplyTo         PropertyFlags = 1 << 9
	FlagExpiration      PropertyFlags = 1 << 8
	FlagMessageID       PropertyFlags = 1 << 7
	FlagTimestamp       PropertyFlags = 1 << 6
	FlagType            PropertyFlags = 1 << 5
	FlagUserID          PropertyFlags = 1 << 4
	FlagAppID           PropertyFlags = 1 << 3
	FlagClusterID       PropertyFlags = 1 << 2
)

const (
	octetProperties  = FlagDeliveryMode | FlagPriority
	unusedProperties = PropertyFlags(0b11)
)

// ValidateProperties reports whether b is exactly one well-formed property
// list: flags, then every property they announce, nested tables walked to
// their end, nothing after. Errors wrap ErrSyntax. A valid list costs no
// allocation.
func ValidateProperties(b []byte) error {
	end, err := skipProperties(b, 0)
	if err != nil {
		return err
	}
	if end != len(b) {
		return syntaxErrorf(end, "%d octets after the last property", len(b)-end)
	}
	return nil
}

// Flags returns the property flags that validated bytes begin with, 0 for
// bytes too short to hold any.
func Flags(b []byte) PropertyFlags {
	if len(b) < 2 {
		return 0
	}
	return PropertyFlags(binary.BigEndian.Uint16(b))
}

// Property returns the value of one property in validated bytes: a string
// without its length octet, the fields of the header table without its size,
// one octet, or the eight octets of the timestamp. The value is a view into b.
// ok is false when the property is absent, when flag is not exactly one of the
// constants, and when b is not a property list.
func Property(b []byte, flag PropertyFlags) (value []byte, ok bool) {
	flags := Flags(b) &^ unusedProperties
	if flags&flag == 0 {
		return nil, false
	}
	pos := 2
	for flags != 0 {
		bit := first(flags)
		flags &^= bit
		start, end := propertyBounds(b, pos, bit)
		if end < 0 {
			return nil, false
		}
		if bit == flag {
			return b[start:end:end], true
		}
		pos = end
	}
	return nil, false
}

// first returns the highest of flags, whose property comes first.
func first(flags PropertyFlags) PropertyFlags {
	return FlagContentType >> bits.LeadingZeros16(uint16(flags))
}

// propertyBounds returns where the value of the property at pos starts, past
// its length, and where it ends. end is negative when b is too short.
func propertyBounds(b []byte, pos int, bit PropertyFlags) (start, end int) {
	left := len(b) - pos
	switch {
	case bit&octetProperties != 0:
		if left < 1 {
			return pos, -1
		}
		return pos, pos + 1
	case bit == FlagTimestamp:
		if left < 8 {
			return pos, -1
		}
		return pos, pos + 8
	case bit == FlagHeaders:
		if left < 4 {
			return pos, -1
		}
		size := binary.BigEndian.Uint32(b[pos:])
		if uint64(size) > uint64(left-4) {
			return pos + 4, -1
		}
		return pos + 4, pos + 4 + int(size)
	default:
		if left < 1 || int(b[pos]) > left-1 {
			return pos, -1
		}
		return pos + 1, pos + 1 + int(b[pos])
	}
}

// skipProperties returns the end of the property list at pos.
func skipProperties(b []byte, pos int) (end int, err error) {
	if len(b)-pos < 2 {
		return 0, syntaxErrorf(pos, "%d octets where two of property flags are needed", len(b)-pos)
	}
	flags := Flags(b[pos:])
	if flags&unusedProperties != 0 {
		return 0, syntaxErrorf(pos, "property flags %#04x: the two lowest bits name no property", uint16(flags))
	}
	pos += 2
	if end, ok := skipUsual(b, pos, flags); ok {
		return end, nil
	}
	for flags != 0 {
		bit := first(flags)
		flags &^= bit
		start, end := propertyBounds(b, pos, bit)
		if end < 0 {
			return 0, syntaxErrorf(pos, "the %s property does not fit the %d octets left", bit, len(b)-pos)
		}
		if bit == FlagHeaders {
			if err := skipFields(b[:end], start, 0); err != nil {
				return 0, err
			}
		}
		pos = end
	}
	return pos, nil
}

// skipUsual is the loop of skipProperties for lists in which there is nothing to
// complain about.
func skipUsual(b []byte, pos int, flags PropertyFlags) (end int, ok bool) {
	count := func(of PropertyFlags) int { return bits.OnesCount16(uint16(flags & of)) }
	pos = skipShortstrs(b, pos, count(FlagContentType|FlagContentEncoding))
	if flags&FlagHeaders != 0 {
		start, end := propertyBounds(b, min(pos, len(b)), FlagHeaders)
		if end < 0 || skipFields(b[:end], start, 0) != nil {
			return 0, false
		}
		pos = end
	}
	pos += count(octetProperties)
	pos = skipShortstrs(b, pos, count(FlagCorrelationID|FlagReplyTo|FlagExpiration|FlagMessageID))
	pos += 8 * count(FlagTimestamp)
	pos = skipShortstrs(b, pos, count(FlagType|FlagUserID|FlagAppID|FlagClusterID))
	return pos, pos <= len(b)
}

// skipShortstrs returns the end of n short strings at pos, which is beyond b if
// they do not fit.
func skipShortstrs(b []byte, pos, n int) (end int) {
	for ; n > 0; n-- {
		if pos >= len(b) {
			return len(b) + 1
		}
		pos += 1 + int(b[pos])
	}
	return pos
}

// String returns the names of the set flags as the specification spells them,
// joined by "|".
func (f PropertyFlags) String() string {
	var s string
	for i, name := range propertyNames {
		if f&(FlagContentType>>i) == 0 {
			continue
		}
		if s != "" {
			s += "|"
		}
		s += name
	}
	return s
}

var propertyNames = [...]string{
	"content-type", "content-encoding", "headers", "delivery-mode", "priority",
	"correlation-id", "reply-to", "expiration", "message-id", "timestamp",
	"type", "user-id", "app-id", "cluster-id",
}
