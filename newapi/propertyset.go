package newapi

import (
	"fmt"
	"strings"
)

// PropertySet is a set of message properties. Its bits are those of the
// property flags in a content header (specification 4.2.6.1), so that the set
// a message carries is the first two octets of its encoded properties.
type PropertySet uint16

// The fourteen properties of the basic class.
const (
	PropertyContentType     PropertySet = 1 << 15
	PropertyContentEncoding PropertySet = 1 << 14
	PropertyHeaders         PropertySet = 1 << 13
	PropertyDeliveryMode    PropertySet = 1 << 12
	PropertyPriority        PropertySet = 1 << 11
	PropertyCorrelationId   PropertySet = 1 << 10
	PropertyReplyTo         PropertySet = 1 << 9
	PropertyExpiration      PropertySet = 1 << 8
	PropertyMessageId       PropertySet = 1 << 7
	PropertyTimestamp       PropertySet = 1 << 6
	PropertyType            PropertySet = 1 << 5
	PropertyUserId          PropertySet = 1 << 4
	PropertyAppId           PropertySet = 1 << 3
	PropertyClusterId       PropertySet = 1 << 2
)

// allProperties leaves out bit 1, which nothing uses, and bit 0, which would
// announce more flags.
const allProperties = ^PropertySet(0b11)

// propertyNames is in the order of the flags, from the highest bit.
var propertyNames = [...]string{
	"ContentType", "ContentEncoding", "Headers", "DeliveryMode", "Priority",
	"CorrelationId", "ReplyTo", "Expiration", "MessageId", "Timestamp",
	"Type", "UserId", "AppId", "ClusterId",
}

// Has reports whether s holds every property of p.
func (s PropertySet) Has(p PropertySet) bool { return s&p == p }

// String names the properties in s in wire order, such as
// "ContentType|Priority"; the empty set is "none".
func (s PropertySet) String() string {
	if s == 0 {
		return "none"
	}
	var names []string
	for i, name := range propertyNames {
		if s.Has(PropertyContentType >> i) {
			names = append(names, name)
		}
	}
	if rest := s &^ allProperties; rest != 0 {
		names = append(names, fmt.Sprintf("%#x", uint16(rest)))
	}
	return strings.Join(names, "|")
}
