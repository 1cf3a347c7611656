package newapi

import (
	"strings"
	"testing"
)

func TestPublicationAddressRoundTrip(t *testing.T) {
	for _, tt := range []struct {
		text string
		addr PublicationAddress
	}{
		{"direct://replies/client-7", PublicationAddress{"direct", "replies", "client-7"}},
		{"direct:///amq.gen-x", PublicationAddress{"direct", "", "amq.gen-x"}},
		{"topic://events/a/b/c", PublicationAddress{"topic", "events", "a/b/c"}},
		{"fanout://all/", PublicationAddress{"fanout", "all", ""}},
		{"x-délai://é/ü", PublicationAddress{"x-délai", "é", "ü"}},
		{"direct://host:port/key://odd", PublicationAddress{"direct", "host:port", "key://odd"}},
	} {
		got, err := ParsePublicationAddress(tt.text)
		if err != nil || got != tt.addr {
			t.Errorf("ParsePublicationAddress(%q) = %#v, %v; want %#v", tt.text, got, err, tt.addr)
		}
		if got := tt.addr.String(); got != tt.text {
			t.Errorf("%#v.String() = %q, want %q", tt.addr, got, tt.text)
		}
		if got, ok := (BasicProperties{ReplyTo: tt.text}).ReplyToAddress(); !ok || got != tt.addr {
			t.Errorf("ReplyToAddress of %q = %#v, %v; want %#v", tt.text, got, ok, tt.addr)
		}
	}
}

func TestPublicationAddressRejects(t *testing.T) {
	for _, text := range []string{
		"", "replies", "amq.rabbitmq.reply-to", "://exchange/key", "direct:/exchange/key",
		"direct//exchange/key", "direct://exchange", "direct:", "//exchange/key",
	} {
		got, err := ParsePublicationAddress(text)
		if err == nil || got != (PublicationAddress{}) {
			t.Errorf("ParsePublicationAddress(%q) = %#v, %v; want an error", text, got, err)
		} else if !strings.Contains(err.Error(), "type://exchange/key") {
			t.Errorf("ParsePublicationAddress(%q): error %q does not say what is wanted", text, err)
		}
		if got, ok := (BasicProperties{ReplyTo: text}).ReplyToAddress(); ok {
			t.Errorf("ReplyToAddress of %q = %#v, true; want false", text, got)
		}
	}
}
