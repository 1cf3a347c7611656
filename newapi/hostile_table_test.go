package newapi

import (
	"errors"
	"fmt"
	"testing"
)

// Whatever the AppendFields of one publisher does until it returns, what is sent is
// well-formed, and others publish as if nothing was.
func TestHostileAppendFieldsHarmsNobodyElse(t *testing.T) {
	failure := errors.New("user")
	field := func(dst []byte) []byte { return append(dst, "\x01kS\x00\x00\x00\x01v"...) }
	var kept [][]byte
	scribble := func() {
		for _, b := range kept {
			b = b[:cap(b)]
			for i := range b {
				b[i] = 0xff
			}
		}
	}
	for _, test := range []struct {
		name  string
		table func(ch *Channel) tableFunc
		sent  []string // the routing keys of what gets through, besides the others'
		fails bool
	}{
		{"appends", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { return field(dst), nil }
		}, []string{"hostile"}, false},
		{"appends to a copy", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { return field(append([]byte(nil), dst...)), nil }
		}, []string{"hostile"}, false},
		{"overwrites what dst holds", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { clear(dst); return field(dst), nil }
		}, nil, true},
		{"overwrites one octet that dst holds", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { dst[0]++; return field(dst), nil }
		}, []string{"hostile"}, false},
		{"returns a shorter slice", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { return dst[:len(dst)/2], nil }
		}, nil, true},
		{"returns nothing", func(*Channel) tableFunc {
			return func([]byte) ([]byte, error) { return nil, nil }
		}, nil, true},
		{"keeps dst and writes to it later", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { dst = field(dst); kept = append(kept, dst); return dst, nil }
		}, []string{"hostile"}, false},
		{"keeps dst and fails", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { kept = append(kept, dst); return dst, failure }
		}, nil, true},
		{"panics with half a field written", func(*Channel) tableFunc {
			return func(dst []byte) ([]byte, error) { _ = append(dst, 1); panic(failure) }
		}, nil, true},
		{"publishes again", func(ch *Channel) tableFunc {
			return func(dst []byte) ([]byte, error) {
				return field(dst), BasicPublish(bg, ch, "", "inner", WithHeaders(BasicProperties{}, Fields{{"k", "v"}}), nil)
			}
		}, []string{"inner", "hostile"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			kept = nil
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			others := func(key string) {
				for _, err := range []error{
					BasicPublish(bg, ch, "", key, everyProperty, nil),
					BasicPublish(bg, ch, "", key, WithHeaders(everyProperty, Fields(nil)), nil),
					BasicPublish(bg, ch, "", key, foreign{everyProperty}, nil),
				} {
					if err != nil {
						t.Errorf("%s: %v", key, err)
					}
				}
			}
			others("before")
			func() {
				defer func() {
					if v := recover(); v != nil && v != failure {
						t.Errorf("it panicked with %v", v)
					}
				}()
				err := BasicPublish(bg, ch, "", "hostile", WithHeaders(BasicProperties{ContentType: "text"}, test.table(ch)), nil)
				if (err != nil) != test.fails {
					t.Errorf("it returned %v", err)
				}
			}()
			scribble()
			others("after")
			for _, key := range append(append(repeat("before", 3), test.sent...), repeat("after", 3)...) {
				m := p.message() // fails for a malformed one
				if m.publish.RoutingKey != key {
					t.Fatalf("published %q, want %q", m.publish.RoutingKey, key)
				}
				if (key == "before" || key == "after") && fmt.Sprint(m.properties) != fmt.Sprint(mustReadOnly(t, everyProperty)) {
					t.Errorf("%s: sent %v", key, m.properties)
				}
			}
			p.quiet()
		})
	}
}
