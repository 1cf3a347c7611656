package newapi

import "testing"

func TestPropertySetHas(t *testing.T) {
	set := PropertyContentType | PropertyPriority
	for _, tt := range []struct {
		of   PropertySet
		want bool
	}{
		{PropertyContentType, true},
		{PropertyContentType | PropertyPriority, true},
		{PropertyContentType | PropertyHeaders, false},
		{PropertyClusterId, false},
		{0, true},
	} {
		if got := set.Has(tt.of); got != tt.want {
			t.Errorf("(%v).Has(%v) = %v, want %v", set, tt.of, got, tt.want)
		}
	}
}

func TestPropertySetString(t *testing.T) {
	for _, tt := range []struct {
		set  PropertySet
		want string
	}{
		{0, "none"},
		{PropertyHeaders, "Headers"},
		{PropertyPriority | PropertyContentType, "ContentType|Priority"},
		{PropertyClusterId | 0b10, "ClusterId|0x2"},
		{allProperties, "ContentType|ContentEncoding|Headers|DeliveryMode|Priority|CorrelationId|ReplyTo|" +
			"Expiration|MessageId|Timestamp|Type|UserId|AppId|ClusterId"},
	} {
		if got := tt.set.String(); got != tt.want {
			t.Errorf("PropertySet(%#x).String() = %q, want %q", uint16(tt.set), got, tt.want)
		}
	}
}
