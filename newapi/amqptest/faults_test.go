package amqptest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi/amqptest"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// confirmation reads the next confirm of a raw client as "ack 3 multiple".
func confirmation(c *rawClient, channel uint16) string {
	c.t.Helper()
	f, err := c.frame()
	if err != nil || f.Type != wire.FrameMethod || f.Channel != channel {
		c.t.Fatalf("frame %+v, %v, want a confirm on channel %d", f, err, channel)
	}
	m, err := wire.ParseMethod(f.Payload)
	if err != nil {
		c.t.Fatal(err)
	}
	word := func(name string, tag uint64, multiple bool) string {
		if multiple {
			return fmt.Sprint(name, " ", tag, " multiple")
		}
		return fmt.Sprint(name, " ", tag)
	}
	switch m := m.(type) {
	case *wire.BasicAck:
		return word("ack", m.DeliveryTag, m.Multiple)
	case *wire.BasicNack:
		return word("nack", m.DeliveryTag, m.Multiple)
	}
	return fmt.Sprintf("%T", m)
}

func confirmations(c *rawClient, channel uint16, n int) []string {
	c.t.Helper()
	var seen []string
	for len(seen) < n {
		seen = append(seen, confirmation(c, channel))
	}
	return seen
}

func openConfirming(t *testing.T, server *amqptest.Server) *rawClient {
	t.Helper()
	c := openRaw(t, server.Addr())
	c.send(1, &wire.ConfirmSelect{})
	expect[*wire.ConfirmSelectOk](c, 1)
	return c
}

func TestNackNext(t *testing.T) {
	server, ch := serve(t)
	q := declare(t, ch, "q", nil)
	must(t, ch.Confirm(false))
	confirms := ch.NotifyPublish(make(chan amqp091.Confirmation, 5))
	server.NackNext(2)
	publish(t, ch, "", q.Name, "1", "2", "3")
	got := map[uint64]bool{}
	for i := 0; i < 3; i++ {
		c := receive(t, confirms)
		got[c.DeliveryTag] = c.Ack
	}
	if want := map[uint64]bool{1: false, 2: false, 3: true}; !cmp.Equal(got, want) {
		t.Errorf("confirms %v, want %v", got, want)
	}
	if bodies := drain(t, ch, q.Name); !cmp.Equal(bodies, []string{"3"}) {
		t.Errorf("the queue has %q, want the publish that was not refused", bodies)
	}
	if n := len(server.Published()); n != 3 {
		t.Errorf("%d publishes recorded, want those refused as well", n)
	}

	server.NackNext(1)
	server.NackNext(0)
	publish(t, ch, "", q.Name, "4")
	if c := receive(t, confirms); !c.Ack {
		t.Error("NackNext(0) did not end what NackNext(1) asked for")
	}
}

func TestNackNextOutsideConfirmModeWaits(t *testing.T) {
	server, ch := serve(t)
	server.NackNext(1)
	publish(t, ch, "", "q", "unconfirmed")
	must(t, ch.Confirm(false))
	confirms := ch.NotifyPublish(make(chan amqp091.Confirmation, 1))
	publish(t, ch, "", "q", "confirmed")
	if c := receive(t, confirms); c.Ack {
		t.Error("the first publish in confirm mode was taken")
	}
}

func TestConfirmsThatArePendingTogetherGoAsOne(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openConfirming(t, server)
	server.HoldConfirms()
	for i := 0; i < 3; i++ {
		c.publish(1, "", "q", "m")
	}
	waitPublished(t, server, 3)
	server.NackNext(2)
	for i := 0; i < 4; i++ {
		c.publish(1, "", "q", "m")
	}
	waitPublished(t, server, 7)
	c.send(1, &wire.BasicQos{})
	expect[*wire.BasicQosOk](c, 1) // and no confirm before it
	server.ReleaseConfirms()
	if got, want := confirmations(c, 1, 3), []string{"ack 3 multiple", "nack 5 multiple", "ack 7 multiple"}; !cmp.Equal(got, want) {
		t.Errorf("confirms %q, want %q", got, want)
	}
	c.publish(1, "", "q", "m")
	if got := confirmation(c, 1); got != "ack 8" {
		t.Errorf("confirm %q after the release, want ack 8", got)
	}
}

func TestConfirmsOfOneWriteGoAsOne(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openConfirming(t, server)
	var burst []byte
	for i := 0; i < 5; i++ {
		burst = append(burst, join(publishMethod, headerFrame(1, 60, 0, 1, "\x00\x00"), frame(wire.FrameBody, 1, "m"))...)
	}
	c.write(burst)
	if got := confirmation(c, 1); got != "ack 5 multiple" {
		t.Errorf("confirm %q for five publishes that came together", got)
	}
}

func TestReturnsComeBeforeTheirConfirm(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openConfirming(t, server)
	frames, err := wire.AppendBasicPublish(nil, 1, "", "nowhere", true, false)
	must(t, err)
	frames = wire.AppendContentHeader(frames, 1, 2, []byte("\x80\x00\x01t"))
	c.write(wire.AppendBody(frames, 1, []byte("hi"), 0))
	r := expect[*wire.BasicReturn](c, 1)
	properties, body := c.expectContent(1)
	if r.ReplyCode != amqp091.NoRoute || r.RoutingKey != "nowhere" || string(properties) != "\x80\x00\x01t" || string(body) != "hi" {
		t.Errorf("return %+v, properties %q, body %q", r, properties, body)
	}
	if got := confirmation(c, 1); got != "ack 1" {
		t.Errorf("confirm %q after the return", got)
	}
}

func TestConfirmsAreSentBeforeAClose(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openConfirming(t, server)
	c.write(join(publishMethod, headerFrame(1, 60, 0, 0, "\x00\x00"), method(1, &wire.ChannelClose{ReplyCode: 200})))
	if got := confirmation(c, 1); got != "ack 1" {
		t.Errorf("%q before channel.close-ok, want ack 1", got)
	}
	expect[*wire.ChannelCloseOk](c, 1)

	c = openConfirming(t, server)
	c.write(join(publishMethod, headerFrame(1, 60, 0, 0, "\x00\x00"), method(0, &wire.ConnectionClose{ReplyCode: 200})))
	if got := confirmation(c, 1); got != "ack 1" {
		t.Errorf("%q before connection.close-ok, want ack 1", got)
	}
	expect[*wire.ConnectionCloseOk](c, 0)
	c.expectEnd()
}

func TestHeldConfirmsAreLostWithTheChannel(t *testing.T) {
	server, ch := serve(t)
	must(t, ch.Confirm(false))
	server.HoldConfirms()
	//amqpfix:ignore publish amqp091-go is the peer of this test
	dc, err := ch.PublishWithDeferredConfirm("", "q", false, false, amqp091.Publishing{})
	must(t, err)
	must(t, ch.Close())
	server.ReleaseConfirms()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if acked, err := dc.WaitContext(ctx); acked {
		t.Errorf("confirmed %v, %v after its channel closed", acked, err)
	}
}

func TestCloseChannelOnPublish(t *testing.T) {
	server, ch := serve(t)
	q := declare(t, ch, "q", nil)
	closed := ch.NotifyClose(make(chan *amqp091.Error, 1))
	server.CloseChannelOnPublish(506, "RESOURCE_ERROR - on request")
	publish(t, ch, "", q.Name, "1")
	if e := receive(t, closed); e.Code != 506 || e.Reason != "RESOURCE_ERROR - on request" {
		t.Errorf("channel closed with %v", e)
	}
	if state, _ := server.Queue("q"); state.Ready != 0 || len(server.Published()) != 1 {
		t.Errorf("%d ready, %d recorded; want none and the one", state.Ready, len(server.Published()))
	}
}

func TestBlock(t *testing.T) {
	server := amqptest.NewServer(t)
	early := dial(t, server.URL())
	blocked := early.NotifyBlocked(make(chan amqp091.Blocking, 2))
	server.Block("low on memory")
	server.Block("again")
	if b := receive(t, blocked); !b.Active || b.Reason != "low on memory" {
		t.Errorf("notified of %+v", b)
	}

	// One that connects later is told too, and may do anything but publish.
	late := connectRaw(t, server.Addr(), wire.ConnectionTuneOk{ChannelMax: 10, FrameMax: 4096})
	if b := expect[*wire.ConnectionBlocked](late, 0); b.Reason != "low on memory" {
		t.Errorf("connection.blocked %+v", b)
	}
	late.openChannel(1)
	late.send(1, &wire.QueueDeclare{Queue: "q"})
	expect[*wire.QueueDeclareOk](late, 1)
	late.publish(1, "", "q", "held")
	late.send(1, &wire.BasicQos{})
	time.Sleep(20 * time.Millisecond)
	if n := len(server.Published()); n != 0 {
		t.Errorf("%d publishes arrived while blocked", n)
	}

	server.Unblock()
	server.Unblock()
	if b := receive(t, blocked); b.Active {
		t.Errorf("notified of %+v, want the end of the alarm", b)
	}
	expect[*wire.ConnectionUnblocked](late, 0)
	expect[*wire.BasicQosOk](late, 1)
	if p := waitPublished(t, server, 1); string(p[0].Body) != "held" {
		t.Errorf("published %q", p[0].Body)
	}
}

func TestClosingABlockedServerEnds(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	server.Block("for ever")
	c.publish(1, "", "q", "held")
	done := make(chan error)
	go func() { done <- server.Close() }()
	must(t, receive(t, done))
}

func TestPauseReads(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	server.PauseReads()
	c.send(1, &wire.BasicQos{})
	c.socket.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	if n, err := c.socket.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d octets, %v from a server that reads nothing", n, err)
	}

	// The sockets' buffers fill, then writing stalls.
	c.socket.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
	octets := make([]byte, 1<<20)
	var err error
	for i := 0; i < 64 && err == nil; i++ {
		_, err = c.socket.Write(octets)
	}
	if err == nil {
		t.Error("a server that reads nothing took 64 MiB")
	}
	server.ResumeReads()
	expect[*wire.BasicQosOk](c, 1)
}

func TestPauseWrites(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	server.PauseWrites()
	c.publish(1, "", "q", "m")
	waitPublished(t, server, 1) // it reads on
	c.send(1, &wire.BasicQos{})
	c.socket.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	if n, err := c.socket.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d octets, %v from a server that writes nothing", n, err)
	}
	server.ResumeWrites()
	expect[*wire.BasicQosOk](c, 1)
}

func TestDropConnections(t *testing.T) {
	server := amqptest.NewServer(t)
	conn := dial(t, server.URL())
	closed := conn.NotifyClose(make(chan *amqp091.Error, 1))
	_, err := channelOf(t, conn).QueueDeclare("mine", false, false, true, false, nil)
	must(t, err)
	server.DropConnections()
	if names := server.QueueNames(); len(names) != 0 {
		t.Errorf("the exclusive queues of dropped connections are left: %q", names)
	}
	if e := receive(t, closed); e.Code != amqp091.FrameError || e.Server {
		t.Errorf("the client saw %v, want the bare end of its stream", e)
	}
	if c := dial(t, server.URL()); c.IsClosed() {
		t.Error("no new connection after DropConnections")
	}
}

func TestCloseConnections(t *testing.T) {
	server := amqptest.NewServer(t)
	conn := dial(t, server.URL())
	closed := conn.NotifyClose(make(chan *amqp091.Error, 1))
	server.CloseConnections(320, "CONNECTION_FORCED - on request")
	if e := receive(t, closed); e.Code != 320 || e.Reason != "CONNECTION_FORCED - on request" || !e.Server {
		t.Errorf("the client saw %v", e)
	}
	if states := server.Connections(); len(states) != 0 {
		t.Errorf("connections left: %+v", states)
	}
}

func TestRequireLogin(t *testing.T) {
	server := amqptest.NewServer(t)
	server.RequireLogin("alice", "secret")
	_, err := amqp091.Dial(server.URL())
	if got, want := describe(err), "403 ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."; got != want {
		t.Errorf("guest: %s, want %s", got, want)
	}
	dial(t, "amqp://alice:secret@"+server.Addr()+"/")
}

func TestServerCloseTellsClients(t *testing.T) {
	server := amqptest.NewServer(t)
	conn := dial(t, server.URL())
	closed := conn.NotifyClose(make(chan *amqp091.Error, 1))
	silent := dialRaw(t, server.Addr()) // never says a word
	start := time.Now()
	must(t, server.Close())
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("Close took %v", took)
	}
	if e := receive(t, closed); e.Code != amqp091.ConnectionForced || !e.Server {
		t.Errorf("the client saw %v, want 320", e)
	}
	if _, err := silent.frame(); !errors.Is(err, io.EOF) {
		t.Logf("a client in the handshake saw %v", err) // a reset is as good
	}
	must(t, server.Close())
	if _, err := amqp091.Dial(server.URL()); err == nil {
		t.Error("a closed server took a connection")
	}
}
