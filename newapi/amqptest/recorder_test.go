package amqptest_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func TestPublishedHasEveryPublishByteForByte(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	// Priority 0 is present, the headers have a field twice: nothing a Go map
	// or struct could give back.
	properties := []byte("\x28\x00" + "\x00\x00\x00\x0b" + "\x01aI\x00\x00\x00\x01" + "\x01at\x01" + "\x00")
	if err := wire.ValidateProperties(properties); err != nil {
		t.Fatal(err)
	}
	frames := method(1, &wire.BasicPublish{Exchange: "amq.direct", RoutingKey: "key", Mandatory: true})
	frames = wire.AppendContentHeader(frames, 1, 5, properties)
	c.write(wire.AppendBody(frames, 1, []byte("hello"), 0))
	expect[*wire.BasicReturn](c, 1)

	p := waitPublished(t, server, 1)[0]
	got, err := p.Properties.AppendHeader(nil)
	must(t, err)
	if !bytes.Equal(got, properties) {
		t.Errorf("properties %q, want %q", got, properties)
	}
	if p.Connection != 1 || p.Channel != 1 || p.Exchange != "amq.direct" || p.RoutingKey != "key" || !p.Mandatory || p.Immediate || string(p.Body) != "hello" {
		t.Errorf("published %+v", p)
	}
}

func TestPublishedHasWhatWasRefused(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	c.publish(1, "missing", "k", "no exchange")
	expect[*wire.ChannelClose](c, 1)
	c.send(1, &wire.ChannelCloseOk{})
	c.openChannel(1)
	c.send(1, &wire.TxSelect{})
	expect[*wire.TxSelectOk](c, 1)
	c.publish(1, "", "k", "rolled back")
	c.send(1, &wire.TxRollback{})
	expect[*wire.TxRollbackOk](c, 1)
	c.write(join(method(1, &wire.BasicPublish{Immediate: true}), headerFrame(1, 60, 0, 0, "\x00\x00")))
	expect[*wire.ConnectionClose](c, 0)

	published := server.Published()
	if len(published) != 3 {
		t.Fatalf("%d publishes recorded, want 3", len(published))
	}
	if string(published[0].Body) != "no exchange" || string(published[1].Body) != "rolled back" || !published[2].Immediate {
		t.Errorf("recorded %+v", published)
	}
}

func TestPublishedCountsConnections(t *testing.T) {
	server := amqptest.NewServer(t)
	for i := 1; i <= 2; i++ {
		publish(t, channelOf(t, dial(t, server.URL())), "", "q", "m")
		if p := waitPublished(t, server, i)[i-1]; p.Connection != i {
			t.Errorf("publish of client %d has connection %d", i, p.Connection)
		}
	}
}

func TestReset(t *testing.T) {
	server, ch := serve(t)
	declare(t, ch, "q", nil)
	publish(t, ch, "", "q", "1")
	before := waitPublished(t, server, 1)
	server.Reset()
	publish(t, ch, "", "q", "2")
	after := waitPublished(t, server, 1)
	if len(after) != 1 || string(after[0].Body) != "2" {
		t.Errorf("after Reset: %+v", after)
	}
	if string(before[0].Body) != "1" {
		t.Error("Reset changed what Published had returned")
	}
	if state, _ := server.Queue("q"); state.Ready != 2 {
		t.Errorf("%d messages in the queue, want both", state.Ready)
	}
}

func TestWaitPublishedEnds(t *testing.T) {
	server, ch := serve(t)
	publish(t, ch, "", "q", "1")
	waitPublished(t, server, 1)

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	got, err := server.WaitPublished(ctx, 3)
	if len(got) != 1 || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 of 3 publishes") {
		t.Errorf("WaitPublished returned %d publishes, %v", len(got), err)
	}

	failed := make(chan error)
	go func() {
		_, err := server.WaitPublished(context.Background(), 3)
		failed <- err
	}()
	must(t, server.Close())
	if err := receive(t, failed); err == nil || !strings.Contains(err.Error(), "closed with 1 of 3 publishes") {
		t.Errorf("WaitPublished of a closed server: %v", err)
	}
	if n := len(server.Published()); n != 1 {
		t.Errorf("%d publishes are left after Close, want 1", n)
	}
}

func TestPropertiesOfAmqp091AreReadBack(t *testing.T) {
	server, ch := serve(t)
	publishMessage(t, ch, "", "q", amqp091.Publishing{
		ContentType: "text/plain", Priority: 4, CorrelationId: "c", Headers: table{"n": int32(7)},
		Timestamp: time.Unix(1714640400, 0), Body: []byte("m"),
	})
	p := waitPublished(t, server, 1)[0].Properties
	n, _ := p.Header("n")
	if p.ContentType() != "text/plain" || p.Priority() != 4 || p.CorrelationId() != "c" || n != int32(7) || p.Timestamp().Unix() != 1714640400 {
		t.Errorf("properties %v", p)
	}
}
