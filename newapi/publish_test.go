package newapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorded is a message that a recorder was given, and what a receiver sees of
// its properties.
type recorded struct {
	EncodedMessage
	ctx        context.Context
	properties ReadOnlyBasicProperties
}

// recorder is a Publisher that keeps what is published.
type recorder struct {
	mu       sync.Mutex
	messages []recorded
}

func (r *recorder) PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
	properties, err := m.Properties()
	if err != nil {
		return nil, err
	}
	m.Header = nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, recorded{m, ctx, properties})
	return nil, nil
}

// publisherFunc is a Publisher made of a function.
type publisherFunc func(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error)

func (f publisherFunc) PublishEncoded(ctx context.Context, m EncodedMessage) (*DeferredConfirmation, error) {
	return f(ctx, m)
}

func TestPublishHandsOnTheMessage(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(context.Background(), key{}, "v")
	ch, body := new(recorder), []byte("body")
	if err := BasicPublish(ctx, ch, "events", "order.created", everyProperty, body, Mandatory); err != nil {
		t.Fatal(err)
	}
	if _, err := BasicPublishDeferred(ctx, ch, "", "queue", BasicProperties{}, nil); err != nil {
		t.Fatal(err)
	}
	want := []recorded{
		{EncodedMessage{Exchange: "events", RoutingKey: "order.created", Flags: Mandatory, Body: body}, ctx, mustReadOnly(t, everyProperty)},
		{EncodedMessage{RoutingKey: "queue", Deferred: true}, ctx, ReadOnlyBasicProperties{}},
	}
	for i, got := range ch.messages {
		// Three headers are encoded in any order.
		if gotP, wantP := got.properties.Struct(), want[i].properties.Struct(); !reflect.DeepEqual(gotP, wantP) {
			t.Errorf("message %d has properties %+v, want %+v", i, gotP, wantP)
		}
		got.properties, want[i].properties = ReadOnlyBasicProperties{}, ReadOnlyBasicProperties{}
		if !reflect.DeepEqual(got, want[i]) {
			t.Errorf("message %d is %+v, want %+v", i, got, want[i])
		}
	}
	if &ch.messages[0].Body[0] != &body[0] {
		t.Error("the body was copied")
	}
}

func TestPublishReturnsWhatThePublisherReturns(t *testing.T) {
	confirmation, broken := new(DeferredConfirmation), errors.New("broken pipe")
	ch := publisherFunc(func(context.Context, EncodedMessage) (*DeferredConfirmation, error) {
		return confirmation, broken
	})
	if err := BasicPublish(context.Background(), ch, "", "", BasicProperties{}, nil); err != broken {
		t.Errorf("BasicPublish returned %v", err)
	}
	if got, err := BasicPublishDeferred(context.Background(), ch, "", "", BasicProperties{}, nil); got != confirmation || err != broken {
		t.Errorf("BasicPublishDeferred returned %v, %v", got, err)
	}
}

func TestPublishFlags(t *testing.T) {
	for _, tt := range []struct {
		flags []PublishFlag
		want  PublishFlag
		text  string
	}{
		{nil, 0, "none"},
		{[]PublishFlag{0}, 0, "none"},
		{[]PublishFlag{Mandatory}, Mandatory, "Mandatory"},
		{[]PublishFlag{Immediate, Mandatory, Mandatory}, Mandatory | Immediate, "Mandatory|Immediate"},
		{[]PublishFlag{Mandatory | Immediate}, Mandatory | Immediate, "Mandatory|Immediate"},
		{[]PublishFlag{FlagsIf(false, false)}, 0, "none"},
		{[]PublishFlag{FlagsIf(true, false)}, Mandatory, "Mandatory"},
		{[]PublishFlag{FlagsIf(false, true)}, Immediate, "Immediate"},
		{[]PublishFlag{FlagsIf(true, true)}, Mandatory | Immediate, "Mandatory|Immediate"},
	} {
		ch := new(recorder)
		if err := BasicPublish(context.Background(), ch, "", "", BasicProperties{}, nil, tt.flags...); err != nil {
			t.Fatal(err)
		}
		got := ch.messages[0].Flags
		if got != tt.want || got.String() != tt.text {
			t.Errorf("flags %v were published as %v (%q)", tt.flags, got, got.String())
		}
		if got.Has(Mandatory) != (tt.want&Mandatory != 0) {
			t.Errorf("(%v).Has(Mandatory) = %v", got, got.Has(Mandatory))
		}
	}
	ch := new(recorder)
	err := BasicPublish(context.Background(), ch, "", "", BasicProperties{}, nil, Mandatory, 8)
	if err == nil || len(ch.messages) != 0 || !strings.Contains(err.Error(), "0x8") {
		t.Errorf("unknown flag: error %v, %d messages", err, len(ch.messages))
	}
}

func TestMessageThatCannotBeSentIsNotPublished(t *testing.T) {
	fits := strings.Repeat("x", 255)
	ch := new(recorder)
	if err := BasicPublish(context.Background(), ch, fits, fits, BasicProperties{CorrelationId: fits}, nil); err != nil {
		t.Errorf("255 bytes: %v", err)
	}
	ch.messages = nil

	long, accents := strings.Repeat("x", 256), strings.Repeat("é", 128)
	for _, tt := range []struct {
		exchange, key string
		properties    BasicProperties
		want          string
	}{
		{long, "", BasicProperties{}, "newapi: exchange is 256 bytes"},
		{accents, "", BasicProperties{}, "newapi: exchange is 256 bytes"},
		{"", long, BasicProperties{}, "newapi: routing key is 256 bytes"},
		{"", accents, BasicProperties{}, "newapi: routing key is 256 bytes"},
		{"", "", BasicProperties{CorrelationId: long}, "newapi: CorrelationId is 256 bytes"},
		{"", "", BasicProperties{CorrelationId: accents}, "newapi: CorrelationId is 256 bytes"},
		{"", "", BasicProperties{Headers: Table{"a": Table{"b": []any{1, 2, uint64(math.MaxUint64)}}}}, `newapi: header "a.b[2]"`},
		{"", "", BasicProperties{Headers: Table{"c": make(chan int)}}, `newapi: header "c"`},
	} {
		for _, publish := range []func() error{
			func() error {
				return BasicPublish(context.Background(), ch, tt.exchange, tt.key, tt.properties, nil)
			},
			func() error {
				_, err := BasicPublishDeferred(context.Background(), ch, tt.exchange, tt.key, &tt.properties, nil)
				return err
			},
			func() error {
				return BasicPublish(context.Background(), ch, tt.exchange, tt.key, WithHeaders(tt.properties, Fields{}), nil)
			},
		} {
			err := publish()
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			if len(ch.messages) != 0 {
				t.Fatalf("%d messages published after %v", len(ch.messages), err)
			}
		}
	}
}

func TestPublishWithoutPublisherOrContext(t *testing.T) {
	if err := BasicPublish(context.Background(), nil, "", "", BasicProperties{}, nil); err != errNilPublisher {
		t.Errorf("nil Publisher: %v", err)
	}
	ch := new(recorder)
	//lint:ignore SA1012 amqp091-go never looked at its ctx
	if err := BasicPublish(nil, ch, "", "", BasicProperties{}, nil); err != nil {
		t.Errorf("nil ctx: %v", err)
	}
	if len(ch.messages) != 1 || ch.messages[0].ctx == nil {
		t.Errorf("nil ctx: published %+v", ch.messages)
	}
}

func TestNilBasicPropertiesPublishesNone(t *testing.T) {
	ch := new(recorder)
	var none *BasicProperties
	if err := BasicPublish(context.Background(), ch, "", "", none, nil); err != nil {
		t.Fatal(err)
	}
	if err := BasicPublish[AMQPHeader](context.Background(), ch, "", "", none, nil); err != nil {
		t.Fatal(err)
	}
	for _, m := range ch.messages {
		if m.properties != (ReadOnlyBasicProperties{}) {
			t.Errorf("published %v", m.properties)
		}
	}
}

func TestAppendHeaderMayPublish(t *testing.T) {
	ch := new(recorder)
	nested := headerFunc(func(dst []byte) ([]byte, error) {
		out, err := BasicProperties{Type: "outer"}.AppendHeader(dst)
		if err != nil {
			return dst, err
		}
		return out, BasicPublish(context.Background(), ch, "", "", BasicProperties{Type: "inner"}, nil)
	})
	if err := BasicPublish(context.Background(), ch, "", "", nested, nil); err != nil {
		t.Fatal(err)
	}
	if len(ch.messages) != 2 || ch.messages[0].properties.Type() != "inner" || ch.messages[1].properties.Type() != "outer" {
		t.Errorf("published %+v", ch.messages)
	}
}

func TestOneValueFromManyGoroutines(t *testing.T) {
	headers := Table{"s": "x", "n": Table{"a": []any{1, "two"}}, "b": []byte{1}}
	unchanged := fmt.Sprintf("%#v", headers)
	p := usual(headers)
	typed := WithHeaders(usual(nil), Fields{{"s", "x"}})
	received := mustReadOnly(t, p)
	want := received.Struct()

	ch := new(recorder)
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := 0; j < 50; j++ {
				for _, publish := range []func(Publisher) error{
					publishing(p), publishing(&p), publishing(typed), publishing(received),
				} {
					if err := publish(ch); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	if len(ch.messages) != 8*50*4 {
		t.Fatalf("%d messages published", len(ch.messages))
	}
	for _, m := range ch.messages {
		got := m.properties.Struct()
		if len(got.Headers) == 1 {
			got.Headers = want.Headers // the typed one
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("published %+v, want %+v", got, want)
		}
	}
	if now := fmt.Sprintf("%#v", headers); now != unchanged {
		t.Errorf("the caller's headers were %s and are %s", unchanged, now)
	}
}

func TestPublishDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are not counted under -race")
	}
	ctx, body := context.Background(), make([]byte, 32)
	ch := new(discard)
	full, received := usual(usualHeaders), mustReadOnly(t, usual(usualHeaders))
	mandatory := true
	id := "4bf92f3577b34da6"
	for _, tt := range []struct {
		name    string
		publish func() error
	}{
		{"empty", func() error { return BasicPublish(ctx, ch, "x", "k", BasicProperties{}, body) }},
		{"literal", func() error {
			return BasicPublish(ctx, ch, "x", "k", BasicProperties{
				ContentType: MimeApplicationJSON, MessageId: id, Timestamp: time.Unix(1700000000, 0), DeliveryMode: Persistent,
			}, body)
		}},
		{"map headers", func() error { return BasicPublish(ctx, ch, "x", "k", full, body) }},
		{"pointer", func() error { return BasicPublish(ctx, ch, "x", "k", &full, body) }},
		{"nil pointer", func() error { return BasicPublish(ctx, ch, "x", "k", (*BasicProperties)(nil), body) }},
		{"typed headers", func() error {
			return BasicPublish(ctx, ch, "x", "k", WithHeaders(BasicProperties{MessageId: id}, traceHeaders{id, 3, true}), body)
		}},
		{"received", func() error { return BasicPublish(ctx, ch, "x", "k", received, body) }},
		{"foreign", func() error { return BasicPublish(ctx, ch, "x", "k", foreign{full}, body) }},
		{"flags", func() error {
			return BasicPublish(ctx, ch, "x", "k", full, body, FlagsIf(mandatory, false), Immediate)
		}},
		{"deferred", func() error {
			_, err := BasicPublishDeferred(ctx, ch, "x", "k", full, body, Mandatory)
			return err
		}},
	} {
		before := ch.messages
		if n := testing.AllocsPerRun(200, func() {
			if err := tt.publish(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", tt.name, n)
		}
		if ch.messages-before < 200 {
			t.Errorf("%s: only %d of 200 were published", tt.name, ch.messages-before)
		}
	}
}
