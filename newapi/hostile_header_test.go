package newapi

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// Whatever the AppendHeader of one publisher does, others publish on the same
// channel as if nothing was, and of the message itself either nothing is sent or
// one that is well-formed.
func TestHostileAppendHeaderHarmsNobodyElse(t *testing.T) {
	failure := errors.New("user")
	var kept [][]byte
	keeps := func(dst []byte) []byte {
		kept = append(kept, dst)
		return dst
	}
	scribble := func() {
		for _, b := range kept {
			for i := range b[:cap(b)] {
				b[:cap(b)][i] = 0xff
			}
		}
	}
	for _, test := range []struct {
		name   string
		header func(ch *Channel) headerFunc
		sent   []string // the routing keys of what gets through, besides the others'
		fails  func(err any) bool
	}{
		{"panics", func(*Channel) headerFunc {
			return func([]byte) ([]byte, error) { panic(failure) }
		}, nil, func(err any) bool { return err == failure }},
		{"panics with half a list written", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { _ = append(dst, cutShort...); panic(failure) }
		}, nil, func(err any) bool { return err == failure }},
		{"errors", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { return append(dst, 0, 0), failure }
		}, nil, func(err any) bool { return err == failure }},
		{"publishes again", func(ch *Channel) headerFunc {
			return func(dst []byte) ([]byte, error) {
				return append(dst, 0, 0), BasicPublish(bg, ch, "", "inner", BasicProperties{}, nil)
			}
		}, []string{"inner", "hostile"}, nil},
		{"publishes again and fails", func(ch *Channel) headerFunc {
			return func(dst []byte) ([]byte, error) {
				return dst, errors.Join(failure, BasicPublish(bg, ch, "", "inner", BasicProperties{}, nil))
			}
		}, []string{"inner"}, func(err any) bool { return errors.Is(err.(error), failure) }},
		{"writes garbage", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { return append(dst, "\xff\xff garbage"...), nil }
		}, nil, func(err any) bool { return err != nil }},
		{"returns a shorter slice", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { return dst[:len(dst)/2], nil }
		}, nil, func(err any) bool { return err != nil }},
		{"overwrites what dst holds", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) {
				for i := range dst {
					dst[i] = 0
				}
				return append(dst, 0, 0), nil
			}
		}, nil, func(err any) bool { return err != nil }},
		{"keeps dst and writes to it later", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { return keeps(append(dst, 0, 0)), nil }
		}, []string{"hostile"}, nil},
		{"keeps dst and fails", func(*Channel) headerFunc {
			return func(dst []byte) ([]byte, error) { keeps(dst); return dst, failure }
		}, nil, func(err any) bool { return err == failure }},
	} {
		t.Run(test.name, func(t *testing.T) {
			kept = nil
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			others := func(key string) {
				for _, publish := range []func() error{
					func() error { return BasicPublish(bg, ch, "", key, everyProperty, nil) },
					func() error { return BasicPublish(bg, ch, "", key, &everyProperty, nil) },
					func() error {
						return BasicPublish(bg, ch, "", key, WithHeaders(everyProperty, Fields(nil)), nil)
					},
					func() error { return BasicPublish(bg, ch, "", key, foreign{everyProperty}, nil) },
				} {
					if err := publish(); err != nil {
						t.Errorf("%s: %v", key, err)
					}
				}
			}
			others("before")
			func() {
				defer func() {
					if v := recover(); v != nil && (test.fails == nil || !test.fails(v)) {
						t.Errorf("it panicked with %v", v)
					}
				}()
				switch err := BasicPublish(bg, ch, "", "hostile", test.header(ch), nil); {
				case err == nil && test.fails != nil:
					t.Error("published")
				case err != nil && (test.fails == nil || !test.fails(err)):
					t.Errorf("it failed with %v", err)
				}
			}()
			scribble()
			others("after")
			scribble()
			keys := append(append(repeat("before", 4), test.sent...), repeat("after", 4)...)
			for _, key := range keys {
				m := p.message() // fails for a malformed one
				if m.publish.RoutingKey != key {
					t.Fatalf("published %q, want %q", m.publish.RoutingKey, key)
				}
				if others := key == "before" || key == "after"; others && fmt.Sprint(m.properties) != fmt.Sprint(mustReadOnly(t, everyProperty)) {
					t.Errorf("%s: sent %v", key, m.properties)
				}
			}
			p.quiet()
		})
	}
}

func repeat(s string, n int) (all []string) {
	for ; n > 0; n-- {
		all = append(all, s)
	}
	return all
}

// A header that is written to after it was encoded, but before it is sent, is sent
// as it was checked.
func TestKeptHeaderIsSentAsItWasChecked(t *testing.T) {
	var kept []byte
	keeper := headerFunc(func(dst []byte) ([]byte, error) {
		kept = append(dst, encode(t, BasicProperties{MessageId: "m"})...)
		return kept, nil
	})
	ch := publisherFunc(func(_ context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
		for i := range kept {
			kept[i] = 0xff
		}
		if p, err := m.Properties(); err != nil || p.MessageId() != "m" {
			t.Errorf("sent %v, %v", p, err)
		}
		return nil, nil
	})
	if err := BasicPublish(bg, ch, "", "", keeper, nil); err != nil {
		t.Fatal(err)
	}
}

// While one AppendHeader blocks, everything else goes on.
func TestBlockingAppendHeaderHoldsNobodyUp(t *testing.T) {
	conn, p := newPeer(t, Config{})
	ch := p.channel(conn)
	entered, leave := make(chan struct{}), make(chan struct{})
	blocked := make(chan error, 1)
	go func() {
		blocked <- BasicPublish(bg, ch, "", "blocks", headerFunc(func(dst []byte) ([]byte, error) {
			close(entered)
			<-leave
			return append(dst, 0, 0), nil
		}), nil)
	}()
	next(t, "AppendHeader", entered)
	within(t, "publishing and acknowledging beside it", func() {
		if err := BasicPublish(bg, ch, "", "passes", BasicProperties{}, nil); err != nil {
			t.Error(err)
		}
		if err := ch.Ack(1, false); err != nil {
			t.Error(err)
		}
	})
	if m := p.message(); m.publish.RoutingKey != "passes" {
		t.Errorf("published %q", m.publish.RoutingKey)
	}
	p.frame() // the acknowledgement
	close(leave)
	if err, _ := next(t, "the blocking publish", blocked); err != nil {
		t.Error(err)
	}
	if m := p.message(); m.publish.RoutingKey != "blocks" {
		t.Errorf("published %q", m.publish.RoutingKey)
	}
}
