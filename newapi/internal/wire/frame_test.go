package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParseFrame(t *testing.T) {
	tests := []struct {
		name string
		src  string
		max  int
		want Frame
		n    int
	}{
		{"method", "\x01\x01\x02\x00\x00\x00\x04abcd\xce", 0, Frame{FrameMethod, 0x0102, []byte("abcd")}, 12},
		{"header", "\x02\x00\x01\x00\x00\x00\x01h\xce", 0, Frame{FrameHeader, 1, []byte("h")}, 9},
		{"body", "\x03\x00\x01\x00\x00\x00\x01b\xce", 0, Frame{FrameBody, 1, []byte("b")}, 9},
		{"empty body", "\x03\x00\x01\x00\x00\x00\x00\xce", 0, Frame{FrameBody, 1, []byte{}}, 8},
		{"heartbeat", "\x08\x00\x00\x00\x00\x00\x00\xce", 0, Frame{FrameHeartbeat, 0, []byte{}}, 8},
		{"another frame follows", "\x03\x00\x01\x00\x00\x00\x01b\xce\x03\x00", 0, Frame{FrameBody, 1, []byte("b")}, 9},
		{"exactly frame_max", "\x03\x00\x01\x00\x00\x00\x01b\xce", 9, Frame{FrameBody, 1, []byte("b")}, 9},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			f, n, err := ParseFrame([]byte(test.src), test.max)
			if err != nil || n != test.n || !reflect.DeepEqual(f, test.want) {
				t.Fatalf("got %+v, %d, %v; want %+v, %d", f, n, err, test.want, test.n)
			}
			for cut := 0; cut < test.n; cut++ {
				if f, n, err := ParseFrame([]byte(test.src[:cut]), test.max); n != 0 || err != nil || f.Payload != nil {
					t.Errorf("cut after %d octets: %+v, %d, %v; want nothing yet", cut, f, n, err)
				}
			}
		})
	}
}

func TestParseFrameErrors(t *testing.T) {
	tests := []struct {
		name string
		src  string
		max  int
		want error
		says string
	}{
		{"unknown type", "\x04\x00\x01\x00\x00\x00\x00\xce", 0, ErrFrame, "unknown type 4"},
		{"type of AMQP 0-8's trace frame", "\x07\x00\x00\x00\x00\x00\x00", 0, ErrFrame, "unknown type 7"},
		{"a protocol header instead of a frame", ProtocolHeader, 0, ErrFrame, "unknown type 65"},
		{"no end octet", "\x03\x00\x01\x00\x00\x00\x01bX", 0, ErrFrame, "0x58 at offset 8"},
		{"heartbeat on a channel", "\x08\x00\x01\x00\x00\x00\x00\xce", 0, ErrFrame, "channel 1"},
		{"heartbeat with a payload", "\x08\x00\x00\x00\x00\x00\x01!\xce", 0, ErrFrame, "1 octets"},
		{"one octet above frame_max", "\x03\x00\x01\x00\x00\x0f\xf9", 4096, ErrFrameTooLarge, "4097 octets on channel 1 where at most 4096"},
		{"size of 4 GiB", "\x03\x00\x01\xff\xff\xff\xff", 131072, ErrFrameTooLarge, "4294967303 octets"},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			f, n, err := ParseFrame([]byte(test.src), test.max)
			if n != 0 || f.Payload != nil || !errors.Is(err, test.want) {
				t.Fatalf("got %+v, %d, %v; want an error wrapping %v", f, n, err, test.want)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %q does not say %q", err, test.says)
			}
		})
	}
	if _, _, _, err := ParseFrameHeader([]byte("\x01\x00\x00\x00\x00\x00"), 0); !errors.Is(err, ErrFrame) {
		t.Errorf("six octets as a frame header: %v, want ErrFrame", err)
	}
}

func TestPayloadViewEndsAtThePayload(t *testing.T) {
	src := []byte("\x03\x00\x01\x00\x00\x00\x01b\xcenext")
	f, _, err := ParseFrame(src, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(f.Payload, "XXXX"...)
	if string(src[8:]) != "\xcenext" {
		t.Errorf("an append to the payload reached the next frame: %q", src)
	}
}

func TestAppendFrameAndHeartbeat(t *testing.T) {
	got := AppendFrame([]byte("before"), FrameBody, 0x0102, []byte("abc"))
	if want := "before\x03\x01\x02\x00\x00\x00\x03abc\xce"; string(got) != want {
		t.Errorf("AppendFrame: %q, want %q", got, want)
	}
	got = AppendFrameHeader(nil, FrameMethod, 0xffff, 0x01020304)
	if want := "\x01\xff\xff\x01\x02\x03\x04"; string(got) != want {
		t.Errorf("AppendFrameHeader: %q, want %q", got, want)
	}
	got = AppendHeartbeat([]byte("before"))
	if want := "before\x08\x00\x00\x00\x00\x00\x00\xce"; string(got) != want {
		t.Errorf("AppendHeartbeat: %q, want %q", got, want)
	}
}

func TestAppendBody(t *testing.T) {
	body := []byte("0123456789")
	tests := []struct {
		name     string
		body     []byte
		frameMax int
		want     []string // payload of each frame
	}{
		{"empty", nil, 4096, nil},
		{"empty, no limit", []byte{}, 0, nil},
		{"no limit", body, 0, []string{"0123456789"}},
		{"exactly one frame", body, FrameOverhead + 10, []string{"0123456789"}},
		{"one octet too many for one frame", body, FrameOverhead + 9, []string{"012345678", "9"}},
		{"several full frames", body, FrameOverhead + 5, []string{"01234", "56789"}},
		{"several frames and a rest", body, FrameOverhead + 4, []string{"0123", "4567", "89"}},
		{"frame_max without room", body[:2], FrameOverhead, []string{"0", "1"}},
	}
	for _, test := range tests {
		test := test
		t.Run(test.name, func(t *testing.T) {
			want := []byte("before")
			for _, payload := range test.want {
				want = AppendFrame(want, FrameBody, 3, []byte(payload))
			}
			if got := AppendBody([]byte("before"), 3, test.body, test.frameMax); !bytes.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
