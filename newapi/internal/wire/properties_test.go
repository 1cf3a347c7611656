package wire

import (
	"errors"
	"strings"
	"testing"
)

// property is one property of a list: its raw value and how a list holds it.
type property struct {
	flag    PropertyFlags
	value   string
	encoded string
}

// everyProperty has all 14, in the order of a property list.
var everyProperty = []property{
	{FlagContentType, "text/plain", "\x0atext/plain"},
	{FlagContentEncoding, "gzip", "\x04gzip"},
	{FlagHeaders, oneFieldBytes[4:], oneFieldBytes},
	{FlagDeliveryMode, "\x02", "\x02"},
	{FlagPriority, "\x09", "\x09"},
	{FlagCorrelationID, "corr", "\x04corr"},
	{FlagReplyTo, "reply", "\x05reply"},
	{FlagExpiration, "60000", "\x0560000"},
	{FlagMessageID, "id", "\x02id"},
	{FlagTimestamp, "\x00\x00\x00\x00\x65\x00\x00\x01", "\x00\x00\x00\x00\x65\x00\x00\x01"},
	{FlagType, "kind", "\x04kind"},
	{FlagUserID, "guest", "\x05guest"},
	{FlagAppID, "app", "\x03app"},
	{FlagClusterID, "cluster", "\x07cluster"},
}

// propertyList encodes properties; all in a row when they are everyProperty.
func propertyList(properties ...property) []byte {
	list := []byte{0, 0}
	for _, p := range properties {
		list[0] |= byte(p.flag >> 8)
		list[1] |= byte(p.flag)
		list = append(list, p.encoded...)
	}
	return list
}

func TestPropertyFindsEachOfAll(t *testing.T) {
	list := propertyList(everyProperty...)
	if err := ValidateProperties(list); err != nil {
		t.Fatal(err)
	}
	if got := Flags(list); got != 0xfffc {
		t.Errorf("Flags = %#04x, want 0xfffc", uint16(got))
	}
	for _, p := range everyProperty {
		if got, ok := Property(list, p.flag); !ok || string(got) != p.value {
			t.Errorf("%s: %q, %v; want %q", p.flag, got, ok, p.value)
		}
	}
}

func TestPropertyFindsEachAlone(t *testing.T) {
	for _, only := range everyProperty {
		list := propertyList(only)
		if err := ValidateProperties(list); err != nil {
			t.Errorf("only %s: %v", only.flag, err)
		}
		for _, p := range everyProperty {
			got, ok := Property(list, p.flag)
			if present := p.flag == only.flag; ok != present || present && string(got) != p.value {
				t.Errorf("only %s: %s is %q, %v", only.flag, p.flag, got, ok)
			}
		}
	}
}

func TestPropertyOfWhatIsNoProperty(t *testing.T) {
	list := propertyList(everyProperty...)
	for _, flag := range []PropertyFlags{0, 1, 2, FlagContentType | FlagAppID, 0xffff} {
		if got, ok := Property(list, flag); ok {
			t.Errorf("flag %#04x has value %q", uint16(flag), got)
		}
	}
	for _, b := range [][]byte{nil, {}, {0xff}} {
		if Flags(b) != 0 {
			t.Errorf("Flags(%q) = %s, want none", b, Flags(b))
		}
		if got, ok := Property(b, FlagContentType); ok {
			t.Errorf("Property(%q) = %q", b, got)
		}
	}
}

// Property promises bounds even where nothing was validated.
func TestPropertyOfCutListIsAbsent(t *testing.T) {
	list := propertyList(everyProperty...)
	for n := range list {
		cut := list[:n:n]
		if err := ValidateProperties(cut); !errors.Is(err, ErrSyntax) {
			t.Errorf("cut after %d of %d octets: %v, want ErrSyntax", n, len(list), err)
		}
		for i, p := range everyProperty {
			end := len(propertyList(everyProperty[:i+1]...))
			if got, ok := Property(cut, p.flag); ok != (end <= n) || ok && string(got) != p.value {
				t.Errorf("cut after %d octets: %s is %q, %v", n, p.flag, got, ok)
			}
		}
	}
}

func TestValidatePropertiesErrors(t *testing.T) {
	tests := []struct {
		name string
		list string
		says string
	}{
		{"nothing", "", "at offset 0"},
		{"half the flags", "\x80", "1 octets where two"},
		{"continuation bit", "\x80\x01\x01a\x00\x00", "flags 0x8001"},
		{"bit without a property", "\x00\x02", "flags 0x0002"},
		{"octet after an empty list", "\x00\x00!", "1 octets after the last property"},
		{"octet after the last property", "\x80\x00\x01a!", "at offset 4: 1 octets after"},
		{"string stops in the middle", "\x80\x00\x0aabc", "content-type property does not fit the 4 octets left"},
		{"timestamp stops in the middle", "\x00\x40\x00\x00\x00\x00", "timestamp property"},
		{"header table size cut", "\x20\x00\x00\x00", "headers property"},
		{"header table of 4 GiB", "\x20\x00\xff\xff\xff\xff\x01kV", "headers property"},
		{"nested table longer than the table", "\x20\x00\x00\x00\x00\x07\x01kF\xff\xff\xff\xff", "at offset 9: table or array of 4294967295 octets, 0 left"},
		{"field value reaches into the next property", "\x30\x00\x00\x00\x00\x03\x01kt\x01", "field of type 't' needs 1 octets, 0 left"},
		{"unknown tag in the headers", "\x20\x00\x00\x00\x00\x03\x01k?", "at offset 8: unknown field type tag '?'"},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			err := ValidateProperties([]byte(test.list))
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("got %v, want ErrSyntax", err)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %q does not say %q", err, test.says)
			}
		})
	}
}

func TestPropertyFlagsString(t *testing.T) {
	tests := []struct {
		flags PropertyFlags
		want  string
	}{
		{0, ""},
		{FlagClusterID, "cluster-id"},
		{FlagContentType | FlagHeaders | FlagMessageID, "content-type|headers|message-id"},
	}
	for _, test := range tests {
		if got := test.flags.String(); got != test.want {
			t.Errorf("%#04x prints as %q, want %q", uint16(test.flags), got, test.want)
		}
	}
}
