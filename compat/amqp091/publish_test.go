package amqp091_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	upstream "github.com/rabbitmq/amqp091-go"

	amqp "github.com/amqpfix/amqpfix/compat/amqp091"
	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
)

const frameMax = 131072

// messages are Publishings whose encoding does not depend on the order of a map.
func messages() map[string]amqp.Publishing {
	m := map[string]amqp.Publishing{
		"empty":           {},
		"ContentType":     {ContentType: "text/plain"},
		"ContentEncoding": {ContentEncoding: "gzip"},
		"DeliveryMode":    {DeliveryMode: amqp.Persistent},
		"Priority":        {Priority: 9},
		"CorrelationId":   {CorrelationId: "c"},
		"ReplyTo":         {ReplyTo: "r"},
		"Expiration":      {Expiration: "60000"},
		"MessageId":       {MessageId: strings.Repeat("m", 255)},
		"Timestamp":       {Timestamp: time.Unix(0, 0)},
		"Type":            {Type: "t"},
		"UserId":          {UserId: "guest"},
		"AppId":           {AppId: "a"},
		"empty headers":   {Headers: amqp.Table{}},
		"all": {
			Headers:     amqp.Table{"h": amqp.Table{"nested": []any{int32(1), "two", nil}}},
			ContentType: "application/json", ContentEncoding: "identity",
			DeliveryMode: amqp.Transient, Priority: 1, CorrelationId: "c", ReplyTo: "r",
			Expiration: "60000", MessageId: "m", Timestamp: time.Unix(1700000000, 5),
			Type: "t", UserId: "guest", AppId: "a", Body: []byte("body"),
		},
	}
	for _, v := range []any{
		nil, true, false, byte(1), int8(-1), int(-3), int(1) << 30, int16(-4), int32(5), int64(6), uint16(7), uint32(8),
		float32(1.5), float64(-2.5), "string", []byte("bytes"), amqp.Decimal{Scale: 2, Value: -314},
		time.Unix(1, 2), amqp.Table{}, amqp.Table{"k": true}, []any{}, []any{amqp.Table{"k": []any{int(1)}}},
	} {
		m[fmt.Sprintf("header %T %v", v, v)] = amqp.Publishing{Headers: amqp.Table{"h": v}}
	}
	for _, size := range []int{1, frameMax - 8, frameMax - 7, 2 * (frameMax - 8), 300_000} {
		m[fmt.Sprintf("body of %d", size)] = amqp.Publishing{Body: bytes.Repeat([]byte("b"), size)}
	}
	return m
}

func TestPublishWritesTheBytesOfUpstream(t *testing.T) {
	server := amqptest.NewServer(t)
	var ours, theirs tap
	conn := dial(t, server.URL(), amqp.Config{Dial: ours.dial})
	ch := channel(t, conn)
	old := openUpstream(t, server.URL(), upstream.Config{Dial: theirs.dial})
	ours.take()
	theirs.take()
	ctx := context.Background()
	for name, msg := range messages() {
		t.Run(name, func(t *testing.T) {
			if err := old.PublishWithContext(ctx, "amq.topic", "key", true, false, msg); err != nil {
				t.Fatal(err)
			}
			want := theirs.take()
			for way, publish := range map[string]func() error{
				"Publish":            func() error { return ch.Publish("amq.topic", "key", true, false, msg) },
				"PublishWithContext": func() error { return ch.PublishWithContext(ctx, "amq.topic", "key", true, false, msg) },
				"PublishWithDeferredConfirm": func() error {
					_, err := ch.PublishWithDeferredConfirm("amq.topic", "key", true, false, msg)
					return err
				},
				"PublishWithDeferredConfirmWithContext": func() error {
					_, err := ch.PublishWithDeferredConfirmWithContext(ctx, "amq.topic", "key", true, false, msg)
					return err
				},
				"BasicPublish": func() error { return amqp.BasicPublish(ctx, ch, "amq.topic", "key", msg, newapi.Mandatory) },
				"Header": func() error {
					return newapi.BasicPublish(ctx, ch, "amq.topic", "key", amqp.Header(msg), msg.Body, newapi.Mandatory)
				},
			} {
				if err := publish(); err != nil {
					t.Errorf("%s: %v", way, err)
				}
				if got := ours.take(); !bytes.Equal(got, want) {
					t.Errorf("%s wrote %d bytes\n%.200x\namqp091-go wrote %d\n%.200x", way, len(got), got, len(want), want)
				}
			}
		})
	}
}

// A program that counts on it publishes, and looks at what it has written.
func TestDeferredPublishReturnsWhenWritten(t *testing.T) {
	server := amqptest.NewServer(t)
	var wire tap
	ch := confirming(t, channel(t, dial(t, server.URL(), amqp.Config{Dial: wire.dial})))
	wire.take()
	for i := 0; i < 200; i++ {
		body := fmt.Sprintf("body %d", i)
		dc, err := ch.PublishWithDeferredConfirm("", "nowhere", false, false, amqp.Publishing{Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		if sent := wire.take(); !bytes.Contains(sent, []byte(body)) {
			t.Fatalf("publish %d returned before it was written: %q", i, sent)
		}
		if dc.DeliveryTag != uint64(i)+1 {
			t.Fatalf("publish %d has tag %d", i, dc.DeliveryTag)
		}
	}
}

func TestBasicPublishDeferredHandsOutTheSameType(t *testing.T) {
	ch := open(t, amqptest.NewServer(t).URL())
	ctx := context.Background()
	dc, err := amqp.BasicPublishDeferred(ctx, ch, "", "nowhere", amqp.Publishing{})
	if err != nil || dc != nil {
		t.Errorf("outside confirm mode: %v, %v, want nil, nil", dc, err)
	}
	confirming(t, ch)
	dc, err = amqp.BasicPublishDeferred(ctx, ch, "", "nowhere", amqp.Publishing{})
	if err != nil {
		t.Fatal(err)
	}
	if !dc.Wait() {
		t.Error("not acknowledged")
	}
	if dc, err = ch.PublishWithDeferredConfirm("", "nowhere", false, false, amqp.Publishing{}); err != nil {
		t.Fatal(err)
	}
	if acked, err := dc.WaitContext(ctx); !acked || err != nil || !dc.Acked() || dc.DeliveryTag != 2 {
		t.Errorf("tag %d: acked %v, %v, error %v", dc.DeliveryTag, acked, dc.Acked(), err)
	}
}

func TestUnpublishableIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	server := amqptest.NewServer(t)
	var wire tap
	ch := confirming(t, channel(t, dial(t, server.URL(), amqp.Config{Dial: wire.dial})))
	wire.take()
	type unsupported struct{}
	long := strings.Repeat("x", 256)
	for _, c := range []struct {
		name     string
		exchange string
		key      string
		msg      amqp.Publishing
	}{
		{"struct header", "", "", amqp.Publishing{Headers: amqp.Table{"h": unsupported{}}}},
		{"uint64 header", "", "", amqp.Publishing{Headers: amqp.Table{"h": uint64(1)}}},
		{"[]string header", "", "", amqp.Publishing{Headers: amqp.Table{"h": []string{"a"}}}},
		{"map header", "", "", amqp.Publishing{Headers: amqp.Table{"h": map[string]any{}}}},
		{"nested", "", "", amqp.Publishing{Headers: amqp.Table{"h": amqp.Table{"k": []any{uint(1)}}}}},
		{"long header name", "", "", amqp.Publishing{Headers: amqp.Table{long: 1}}},
		{"long property", "", "", amqp.Publishing{CorrelationId: long}},
		{"long exchange", long, "", amqp.Publishing{}},
		{"long key", "", long, amqp.Publishing{}},
		{"headers beyond a frame", "", "", amqp.Publishing{Headers: amqp.Table{"h": strings.Repeat("x", frameMax)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.msg.Headers.Validate()
			for _, err := range []error{
				ch.Publish(c.exchange, c.key, false, false, c.msg),
				amqp.BasicPublish(context.Background(), ch, c.exchange, c.key, c.msg),
				second(ch.PublishWithDeferredConfirm(c.exchange, c.key, false, false, c.msg)),
			} {
				if err == nil {
					t.Error("no error")
				} else if want != nil && err.Error() != want.Error() {
					t.Errorf("error %q, amqp091-go has %q", err, want)
				}
			}
			if sent := wire.take(); len(sent) > 0 {
				t.Errorf("wrote %x", sent)
			}
			if next := ch.GetNextPublishSeqNo(); next != 1 {
				t.Errorf("the next tag is %d, want 1", next)
			}
		})
	}
	dc, err := ch.PublishWithDeferredConfirm("", "", false, false, amqp.Publishing{})
	if err != nil || !dc.Wait() {
		t.Errorf("the channel cannot be used any more: %v", err)
	}
}

func second[A any](_ A, err error) error { return err }

// amqp091-go cuts it to 32 bits.
func TestLargeIntHeaderArrivesWhole(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		queue := declare(t, ch)
		large := int64(2419200000)
		if strconv.IntSize == 32 {
			t.Skip("no int is that large here")
		}
		msg := amqp.Publishing{Headers: amqp.Table{"ms": int(large)}}
		if err := ch.Publish("", queue, false, false, msg); err != nil {
			t.Fatal(err)
		}
		if got := get(t, ch, queue).Headers["ms"]; got != large {
			t.Errorf("header is %v (%T)", got, got)
		}
	})
}

func TestPublishErrorsAreUpstreams(t *testing.T) {
	server := amqptest.NewServer(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	invalid := amqp.Publishing{Headers: amqp.Table{"h": uint64(1)}}

	ch := open(t, server.URL())
	if err := ch.PublishWithContext(ended, "", "", false, false, invalid); err != context.Canceled {
		t.Errorf("with a context that has ended: %v", err)
	}
	if dc, err := ch.PublishWithDeferredConfirmWithContext(ended, "", "", false, false, invalid); dc != nil || err != context.Canceled {
		t.Errorf("deferred, with a context that has ended: %v, %v", dc, err)
	}
	if err := ch.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ch.Publish("", "", false, false, invalid); err == nil || err == amqp.ErrClosed {
		t.Errorf("invalid headers on a closed channel: %v", err)
	}
	if err := ch.Publish("", "", false, false, amqp.Publishing{}); err != amqp.ErrClosed {
		t.Errorf("on a closed channel: %v", err)
	}
	if _, err := ch.PublishWithDeferredConfirm("", "", false, false, amqp.Publishing{}); err != amqp.ErrClosed {
		t.Errorf("deferred, on a closed channel: %v", err)
	}
	if _, err := ch.PublishEncoded(context.Background(), newapi.EncodedMessage{Header: []byte{0, 0}}); err != amqp.ErrClosed {
		t.Errorf("encoded, on a closed channel: %v", err)
	}
}

// The context of a publish that waits for a stalled connection is honoured, and
// nothing of its message is sent.
func TestContextEndsTheWaitForAStalledConnection(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := open(t, server.URL())
	queue := declare(t, ch)
	server.PauseReads()
	filler := amqp.Publishing{Body: make([]byte, 32<<20)}
	filled := make(chan error, 1)
	go func() { filled <- ch.Publish("", queue, false, false, filler) }()

	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	var err error
	for err == nil { // until the socket is full
		err = ch.PublishWithContext(ctx, "", queue, false, false, amqp.Publishing{Type: "late"})
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	server.ResumeReads()
	if err, _ := receive(t, filled); err != nil {
		t.Errorf("the message before it: %v", err)
	}
	publish(t, ch, queue, "after")
	eventually(t, "the last message arrives", func() bool {
		all := server.Published()
		return len(all) > 0 && string(all[len(all)-1].Body) == "after"
	})
}

func TestUnchangedPublishAllocatesLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	var wire tap
	ch := channel(t, dial(t, amqptest.NewServer(t).URL(), amqp.Config{Dial: wire.dial}))
	wire.sink()
	t.Cleanup(func() { wire.Close() }) // its broker would wait for more
	ctx, body := context.Background(), make([]byte, 32)
	headers := amqp.Table{"trace-id": "4bf92f3577b34da6", "attempt": int32(3), "sampled": true}
	publishing := func() amqp.Publishing {
		return amqp.Publishing{
			Headers: headers, ContentType: "application/json", DeliveryMode: amqp.Persistent,
			CorrelationId: "c", MessageId: "m", Timestamp: time.Unix(1700000000, 0), AppId: "shop", Body: body,
		}
	}
	for _, c := range []struct {
		name    string
		most    float64
		publish func() error
	}{
		{"PublishWithContext", 0, func() error {
			return ch.PublishWithContext(ctx, "events", "created", true, false, publishing())
		}},
		{"Publish", 0, func() error {
			return ch.Publish("events", "created", true, false, publishing())
		}},
		{"BasicPublish", 0, func() error {
			return amqp.BasicPublish(ctx, ch, "events", "created", publishing(), newapi.Mandatory)
		}},
		{"Header", 0, func() error {
			msg := publishing()
			return newapi.BasicPublish(ctx, ch, "events", "created", amqp.Header(msg), msg.Body, newapi.Mandatory)
		}},
		{"PublishWithDeferredConfirm", 0, func() error {
			return second(ch.PublishWithDeferredConfirm("events", "created", true, false, publishing()))
		}},
	} {
		got := testing.AllocsPerRun(1000, func() {
			if err := c.publish(); err != nil {
				t.Fatal(err)
			}
		})
		if got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", c.name, got, c.most)
		}
	}
}
