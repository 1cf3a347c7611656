package compat_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// recorder is a newapi.Publisher that keeps what it is given.
type recorder struct {
	mu   sync.Mutex
	sent []newapi.EncodedMessage
	ctx  context.Context
	err  error
}

func (r *recorder) PublishEncoded(ctx context.Context, m newapi.EncodedMessage) (*newapi.DeferredConfirmation, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m.Header = bytes.Clone(m.Header)
	r.sent = append(r.sent, m)
	r.ctx = ctx
	return nil, r.err
}

// header publishes p and returns the encoded properties that were sent.
func header(t *testing.T, p compat.BasicProperties) []byte {
	t.Helper()
	var r recorder
	if err := compat.Publish(&r, "", "q", false, p, nil); err != nil {
		t.Fatal(err)
	}
	return r.sent[0].Header
}

// newHeader does the same by way of newapi alone.
func newHeader(t *testing.T, s newapi.BasicProperties) []byte {
	t.Helper()
	var r recorder
	if err := newapi.BasicPublish(context.Background(), &r, "", "q", s, nil); err != nil {
		t.Fatal(err)
	}
	return r.sent[0].Header
}

func TestPublishSendsTheBytesOfNewapi(t *testing.T) {
	for _, prop := range properties {
		t.Run(prop.name, func(t *testing.T) {
			p := fresh()
			prop.set(p)
			var s plain
			prop.setField(&s)
			got, want := header(t, p), newHeader(t, s)
			if !bytes.Equal(got, want) {
				t.Errorf("sent %x, newapi sends %x", got, want)
			}
			if flags := uint16(got[0])<<8 | uint16(got[1]); flags != uint16(prop.which) {
				t.Errorf("property flags are %#04x, want %#04x", flags, uint16(prop.which))
			}

			prop.clear(p)
			if got := header(t, p); !bytes.Equal(got, []byte{0, 0}) {
				t.Errorf("sent %x after Clear, want no property", got)
			}

			s = plain{SendZero: prop.which}
			got, want = header(t, compat.FromStruct(s)), newHeader(t, s)
			if !bytes.Equal(got, want) {
				t.Errorf("sent %x for a zero in SendZero, newapi sends %x", got, want)
			}
		})
	}
	t.Run("all", func(t *testing.T) {
		var s plain
		for _, prop := range properties {
			prop.setField(&s)
		}
		want := newHeader(t, s)
		for name, p := range map[string]compat.BasicProperties{"own": full(), "foreign": decorated{full()}} {
			if got := header(t, p); !bytes.Equal(got, want) {
				t.Errorf("%s sent %x, newapi sends %x", name, got, want)
			}
		}
	})
}

func TestPublishOfNilSendsNoProperties(t *testing.T) {
	for name, p := range map[string]compat.BasicProperties{
		"nil":           nil,
		"a nil pointer": (*decorated)(nil),
		"fresh":         fresh(),
	} {
		if got := header(t, p); !bytes.Equal(got, []byte{0, 0}) {
			t.Errorf("%s sent %x, want no property", name, got)
		}
	}
}

func TestPublishPassesTheRestOn(t *testing.T) {
	body := []byte("body")
	for mandatory, flags := range map[bool]newapi.PublishFlag{false: 0, true: newapi.Mandatory} {
		var r recorder
		if err := compat.Publish(&r, "orders", "created", mandatory, nil, body); err != nil {
			t.Fatal(err)
		}
		m := r.sent[0]
		if m.Exchange != "orders" || m.RoutingKey != "created" || m.Flags != flags || m.Deferred || &m.Body[0] != &body[0] {
			t.Errorf("with mandatory %v sent %+v", mandatory, m)
		}
		if _, bounded := r.ctx.Deadline(); bounded || r.ctx.Done() != nil {
			t.Error("the context can end, want one that cannot")
		}
	}
}

func TestPublishReturnsErrors(t *testing.T) {
	refused := errors.New("refused")
	if err := compat.Publish(&recorder{err: refused}, "", "q", false, nil, nil); !errors.Is(err, refused) {
		t.Errorf("error is %v, want the publisher's", err)
	}

	var r recorder
	long := fresh()
	long.SetCorrelationId(strings.Repeat("c", 256))
	if err := compat.Publish(&r, "", "q", false, long, nil); err == nil || len(r.sent) != 0 {
		t.Errorf("a correlation id of 256 bytes: error %v, %d messages; want an error and none", err, len(r.sent))
	}
	odd := fresh()
	odd.Headers()["done"] = make(chan int)
	if err := compat.Publish(&r, "", "q", false, odd, nil); !errors.Is(err, newapi.ErrFieldType) || !strings.Contains(err.Error(), "done") || len(r.sent) != 0 {
		t.Errorf("a chan as header: error %v, %d messages; want one that names the key, and none", err, len(r.sent))
	}
}

func TestPublishDoesNotChangeProperties(t *testing.T) {
	p := full()
	before := header(t, p)
	if after := header(t, p); !bytes.Equal(before, after) {
		t.Errorf("second publish sent %x, first %x", after, before)
	}
	wantPresent(t, p, everything)
}

func TestChangeAfterPublishIsNotSent(t *testing.T) {
	var r recorder
	p := fresh()
	for _, id := range []string{"a", "b"} {
		p.SetMessageId(id)
		p.Headers()["id"] = id
		if err := compat.Publish(&r, "", "q", false, p, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range []string{"a", "b"} {
		want := newHeader(t, plain{MessageId: id, Headers: newapi.Table{"id": id}})
		if !bytes.Equal(r.sent[i].Header, want) {
			t.Errorf("message %d has header %x, want %x", i, r.sent[i].Header, want)
		}
	}
}

// The race detector is the judge here.
func TestOneValueManyReaders(t *testing.T) {
	for name, p := range map[string]compat.BasicProperties{
		"fresh":       fresh(),
		"full":        full(),
		"from struct": compat.FromStruct(plain{SendZero: everything}),
	} {
		t.Run(name, func(t *testing.T) {
			want := header(t, p)
			var r recorder
			var wg sync.WaitGroup
			for i := 0; i < 8; i++ {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for j := 0; j < 50; j++ {
						for _, prop := range properties {
							prop.get(p)
							prop.present(p)
						}
						p.Persistent()
						p.ReplyToAddress()
						compat.ToStruct(p)
						compat.ToStruct(decorated{p})
						if err := compat.Publish(&r, "", "q", false, p, nil); err != nil {
							t.Error(err)
						}
					}
				}()
			}
			wg.Wait()
			for _, m := range r.sent {
				if !bytes.Equal(m.Header, want) {
					t.Fatalf("sent %x, want %x", m.Header, want)
				}
			}
		})
	}
}
