package wire

import (
	"bytes"
	"errors"
	"testing"
)

func TestContentHeaderRoundTrip(t *testing.T) {
	tests := []struct {
		name       string
		size       uint64
		properties []byte
	}{
		{"no property", 0, propertyList()},
		{"every property", 1, propertyList(everyProperty...)},
		{"only one", 42, propertyList(everyProperty[8])},
		{"largest body", 1<<64 - 1, propertyList(everyProperty[0])},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			frame := AppendContentHeader([]byte("before"), 5, test.size, test.properties)
			f, n, err := ParseFrame(frame[len("before"):], 0)
			if err != nil || n != len(frame)-len("before") || f.Type != FrameHeader || f.Channel != 5 {
				t.Fatalf("frame %+v, %d, %v", f, n, err)
			}
			h, err := ParseContentHeader(f.Payload)
			if err != nil {
				t.Fatal(err)
			}
			if h.ClassID != ClassBasic || h.BodySize != test.size || !bytes.Equal(h.Properties, test.properties) {
				t.Errorf("got %+v", h)
			}
		})
	}
}

func TestAppendContentHeaderBytes(t *testing.T) {
	got := AppendContentHeader(nil, 0x0102, 0x0102030405060708, []byte("\x08\x00\x05"))
	want := "\x02\x01\x02\x00\x00\x00\x0f\x00\x3c\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08\x08\x00\x05\xce"
	if string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// No bytes at all stand for no property, so a zero value can be sent.
	if got, want := AppendContentHeader(nil, 1, 2, nil), AppendContentHeader(nil, 1, 2, []byte{0, 0}); !bytes.Equal(got, want) {
		t.Errorf("nil properties: %q, want %q", got, want)
	}
}

func TestParseContentHeaderLeavesPaddingOut(t *testing.T) {
	payload := []byte("\x00\x3c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x08\x00\x05padding")
	h, err := ParseContentHeader(payload)
	if err != nil {
		t.Fatal(err)
	}
	if want := "\x08\x00\x05"; string(h.Properties) != want || cap(h.Properties) != len(want) {
		t.Errorf("properties %q (cap %d), want %q", h.Properties, cap(h.Properties), want)
	}
}

func TestParseContentHeaderErrors(t *testing.T) {
	const fixed = "\x00\x3c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"
	tests := []struct {
		name    string
		payload string
		want    error
	}{
		{"empty", "", ErrSyntax},
		{"no flags", fixed, ErrSyntax},
		{"half the flags", fixed + "\x00", ErrSyntax},
		{"another class", "\x00\x32" + fixed[2:] + "\x00\x00", ErrFrame},
		{"continuation bit", fixed + "\x00\x01\x00\x00", ErrSyntax},
		{"property cut", fixed + "\x80\x00\x05abc", ErrSyntax},
		{"broken nested table", fixed + "\x20\x00\x00\x00\x00\x08\x01kF\x00\x00\x00\x01\x05", ErrSyntax},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			if h, err := ParseContentHeader([]byte(test.payload)); !errors.Is(err, test.want) {
				t.Errorf("got %+v, %v; want an error wrapping %v", h, err, test.want)
			}
		})
	}
}
