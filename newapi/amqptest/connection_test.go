package amqptest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/amqptest"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

func TestWhatTheServerOffers(t *testing.T) {
	server := amqptest.NewServer(t)
	c := dialRaw(t, server.Addr())
	c.write([]byte(wire.ProtocolHeader))
	start := expect[*wire.ConnectionStart](c, 0)
	if start.VersionMajor != 0 || start.VersionMinor != 9 || start.Mechanisms != "PLAIN AMQPLAIN" || start.Locales != "en_US" {
		t.Errorf("connection.start %+v", start)
	}
	capabilities, _ := start.ServerProperties["capabilities"].(newapi.Table)
	for _, name := range []string{
		"publisher_confirms", "exchange_exchange_bindings", "basic.nack", "consumer_cancel_notify", "connection.blocked",
		"consumer_priorities", "authentication_failure_close", "per_consumer_qos", "direct_reply_to",
	} {
		if capabilities[name] != true {
			t.Errorf("capability %s is %v", name, capabilities[name])
		}
	}
	c.send(0, startOk())
	if tune := expect[*wire.ConnectionTune](c, 0); *tune != (wire.ConnectionTune{ChannelMax: 2047, FrameMax: 131072, Heartbeat: 60}) {
		t.Errorf("connection.tune %+v", tune)
	}
}

func TestAnyUserMechanismAndVirtualHostWorks(t *testing.T) {
	server := amqptest.NewServer(t)
	for _, config := range []amqp091.Config{
		{SASL: []amqp091.Authentication{&amqp091.PlainAuth{Username: "alice", Password: "a"}}, Vhost: "/"},
		{SASL: []amqp091.Authentication{&amqp091.AMQPlainAuth{Username: "bob", Password: "b"}}, Vhost: "shop"},
	} {
		c, err := amqp091.DialConfig(server.URL(), config)
		must(t, err)
		declare(t, channelOf(t, c), "q-"+config.Vhost, nil)
		defer c.Close()
	}
	var got []string
	for _, c := range server.Connections() {
		got = append(got, fmt.Sprintf("%d %s %s %d", c.Number, c.User, c.VirtualHost, c.Channels))
	}
	if want := "1 alice / 1, 2 bob shop 1"; strings.Join(got, ", ") != want {
		t.Errorf("connections %q, want %q", got, want)
	}
	if got := server.QueueNames(); len(got) != 1 || got[0] != "q-/" {
		t.Errorf("queues of /: %q", got)
	}
	if got := server.VirtualHost("shop").QueueNames(); len(got) != 1 || got[0] != "q-shop" {
		t.Errorf("queues of shop: %q", got)
	}
}

func TestUpdateSecret(t *testing.T) {
	server := amqptest.NewServer(t)
	must(t, dial(t, server.URL()).UpdateSecret("new", "the old one is over"))
}

func TestHeartbeats(t *testing.T) {
	server := amqptest.NewServer(t)
	idle := connectRaw(t, server.Addr(), wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 4096, Heartbeat: 1})
	silent := connectRaw(t, server.Addr(), wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 4096, Heartbeat: 1})
	start := time.Now()

	// A client that keeps its word is kept, and hears from the server.
	heard := 0
	buf := make([]byte, 4096)
	for time.Since(start) < 2500*time.Millisecond {
		idle.write(wire.AppendHeartbeat(nil))
		idle.socket.SetReadDeadline(time.Now().Add(400 * time.Millisecond))
		n, err := idle.socket.Read(buf)
		if errors.Is(err, io.EOF) {
			t.Fatal("the server hung up on a client that sends heartbeats")
		}
		for octets := buf[:n]; len(octets) > 0; {
			f, size, err := wire.ParseFrame(octets, 0)
			if err != nil || size == 0 || f.Type != wire.FrameHeartbeat {
				t.Fatalf("read %q, %v, want heartbeats", octets, err)
			}
			octets = octets[size:]
			heard++
		}
	}
	if heard < 2 {
		t.Errorf("heard %d heartbeats in two and a half intervals", heard)
	}

	// One that does not is hung up on after two intervals.
	silent.expectEnd()
}

func TestChannelNumbersAreFreeAgainAfterTheirClose(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	for i := 0; i < 3; i++ {
		c.send(1, &wire.ChannelClose{ReplyCode: 200})
		expect[*wire.ChannelCloseOk](c, 1)
		c.openChannel(1)
	}
}

func TestFramesTowardsAClientKeepItsFrameMax(t *testing.T) {
	server := amqptest.NewServer(t)
	c := connectRaw(t, server.Addr(), wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 4096})
	c.openChannel(1)
	body := bytes.Repeat([]byte("0123456789"), 1000)
	ch := channelOf(t, dial(t, server.URL()))
	declare(t, ch, "q", nil)
	publish(t, ch, "", "q", string(body))
	settled(t, ch)

	c.send(1, &wire.BasicGet{Queue: "q", NoAck: true})
	expect[*wire.BasicGetOk](c, 1)
	f, err := c.frame()
	must(t, err)
	if f.Type != wire.FrameHeader {
		t.Fatalf("frame %+v, want a content header", f)
	}
	var got []byte
	for _, want := range []int{4088, 4088, 1824} {
		f, err := c.frame()
		must(t, err)
		if len(f.Payload) != want {
			t.Errorf("body frame of %d octets, want %d", len(f.Payload), want)
		}
		got = append(got, f.Payload...)
	}
	if !bytes.Equal(got, body) {
		t.Error("the body changed on the way")
	}
}

func TestNoWaitMethodsAreNotAnswered(t *testing.T) {
	server := amqptest.NewServer(t)
	c := openRaw(t, server.Addr())
	for _, m := range []wire.Method{
		&wire.ExchangeDeclare{Exchange: "x", Type: "fanout", NoWait: true},
		&wire.ExchangeDeclare{Exchange: "y", Type: "fanout", NoWait: true},
		&wire.ExchangeBind{Source: "x", Destination: "y", NoWait: true},
		&wire.QueueDeclare{Queue: "q", NoWait: true},
		&wire.QueueDeclare{Queue: "q", Passive: true, NoWait: true},
		&wire.QueueBind{Queue: "q", Exchange: "y", NoWait: true},
		&wire.ConfirmSelect{NoWait: true},
		&wire.BasicConsume{Queue: "q", ConsumerTag: "tag", NoAck: true, NoWait: true},
		&wire.BasicConsume{Queue: "amq.rabbitmq.reply-to", ConsumerTag: "replies", NoAck: true, NoWait: true},
	} {
		c.send(1, m)
	}
	c.publish(1, "x", "", "m")
	if d := expect[*wire.BasicDeliver](c, 1); d.ConsumerTag != "tag" || d.Exchange != "x" {
		t.Errorf("delivery %+v", d)
	}
	c.expectContent(1)
	if got := confirmation(c, 1); got != "ack 1" {
		t.Errorf("confirm %q", got)
	}
	for _, m := range []wire.Method{
		&wire.BasicCancel{ConsumerTag: "tag", NoWait: true},
		&wire.QueuePurge{Queue: "q", NoWait: true},
		&wire.ExchangeUnbind{Source: "x", Destination: "y", NoWait: true},
		&wire.QueueDelete{Queue: "q", NoWait: true},
		&wire.ExchangeDelete{Exchange: "x", NoWait: true},
		&wire.BasicRecoverAsync{Requeue: true},
		&wire.BasicQos{},
	} {
		c.send(1, m)
	}
	expect[*wire.BasicQosOk](c, 1) // the only answer
	if len(server.QueueNames()) != 0 {
		t.Errorf("queues left: %q", server.QueueNames())
	}
}

func TestConsumersWithoutCapabilityHearNothingOfADeletedQueue(t *testing.T) {
	server := amqptest.NewServer(t)
	c := dialRaw(t, server.Addr())
	c.write([]byte(wire.ProtocolHeader))
	expect[*wire.ConnectionStart](c, 0)
	m := startOk()
	m.ClientProperties = nil
	c.send(0, m)
	expect[*wire.ConnectionTune](c, 0)
	c.send(0, &wire.ConnectionTuneOk{ChannelMax: 1, FrameMax: 4096})
	c.send(0, &wire.ConnectionOpen{VirtualHost: "/"})
	expect[*wire.ConnectionOpenOk](c, 0)
	c.openChannel(1)
	c.send(1, &wire.QueueDeclare{Queue: "q"})
	expect[*wire.QueueDeclareOk](c, 1)
	c.send(1, &wire.BasicConsume{Queue: "q"})
	if tag := expect[*wire.BasicConsumeOk](c, 1).ConsumerTag; !strings.HasPrefix(tag, "amq.ctag-") {
		t.Errorf("consumer tag %q, want one that the broker made", tag)
	}
	server.Block("nor of this")
	c.send(1, &wire.QueueDelete{Queue: "q"})
	expect[*wire.QueueDeleteOk](c, 1)
	server.Unblock()
	c.send(1, &wire.BasicQos{})
	expect[*wire.BasicQosOk](c, 1)
}

// TestASlowClientDoesNotHoldUpOthers fills a client that reads nothing with
// more than its outbox takes, while others publish and consume; then the client
// reads all of it.
func TestASlowClientDoesNotHoldUpOthers(t *testing.T) {
	server := amqptest.NewServer(t)
	slow := openRaw(t, server.Addr())
	slow.send(1, &wire.QueueDeclare{Queue: "slow"})
	expect[*wire.QueueDeclareOk](slow, 1)
	slow.send(1, &wire.BasicConsume{Queue: "slow", NoAck: true})
	expect[*wire.BasicConsumeOk](slow, 1)

	conn := dial(t, server.URL())
	ch := channelOf(t, conn)
	declare(t, ch, "fast", nil)
	fast := consume(t, ch, "fast", "", true)
	const messages = 48
	body := strings.Repeat("x", 1<<20)
	for i := 0; i < messages; i++ {
		publish(t, ch, "", "slow", body)
		publish(t, ch, "", "fast", fmt.Sprint(i))
		if got := string(receive(t, fast).Body); got != fmt.Sprint(i) {
			t.Fatalf("the fast consumer got %q, want %d", got, i)
		}
	}
	if state, _ := server.Queue("slow"); state.Ready == 0 {
		t.Error("all messages went to a client that reads none of them")
	}
	for i := 1; i <= messages; i++ {
		if d := expect[*wire.BasicDeliver](slow, 1); d.DeliveryTag != uint64(i) {
			t.Fatalf("delivery tag %d, want %d", d.DeliveryTag, i)
		}
		if _, got := slow.expectContent(1); len(got) != len(body) {
			t.Fatalf("body of %d octets", len(got))
		}
	}
	if state, _ := server.Queue("slow"); state.Ready != 0 {
		t.Errorf("%d messages are left in the queue", state.Ready)
	}
}

// TestAClientThatAsksAndDoesNotRead is not read either once its answers fill
// the outbox.
func TestAClientThatAsksAndDoesNotRead(t *testing.T) {
	server := amqptest.NewServer(t)
	ch := channelOf(t, dial(t, server.URL()))
	declare(t, ch, "q", nil)
	publish(t, ch, "", "q", strings.Repeat("x", 1<<20))
	settled(t, ch)
	greedy := openRaw(t, server.Addr())
	const asked = 64
	for i := 0; i < asked; i++ {
		greedy.send(1, &wire.BasicGet{Queue: "q"})
		greedy.send(1, &wire.BasicRecoverAsync{Requeue: true})
	}
	settled(t, ch) // nobody else is held up
	for i := 1; i <= asked; i++ {
		if d := expect[*wire.BasicGetOk](greedy, 1); d.DeliveryTag != uint64(i) {
			t.Fatalf("delivery tag %d, want %d", d.DeliveryTag, i)
		}
		greedy.expectContent(1)
	}
}

func TestManyClientsAtOnce(t *testing.T) {
	server := amqptest.NewServer(t)
	setup := channelOf(t, dial(t, server.URL()))
	declare(t, setup, "q", nil)
	const clients, messages = 8, 200
	var publishers, consumers sync.WaitGroup
	var mu sync.Mutex
	got := make(map[string]int)
	all := make(chan struct{})
	for i := 0; i < clients; i++ {
		i := i
		publisher, consumer := channelOf(t, dial(t, server.URL())), channelOf(t, dial(t, server.URL()))
		must(t, publisher.Confirm(false))
		must(t, consumer.Qos(5, 0, false))
		deliveries := consume(t, consumer, "q", "", false)
		publishers.Add(1)
		go func() {
			defer publishers.Done()
			for n := 0; n < messages; n++ {
				//amqpfix:ignore publish amqp091-go is the peer of this test
				dc, err := publisher.PublishWithDeferredConfirm("", "q", true, false, amqp091.Publishing{Body: []byte(fmt.Sprint(i, " ", n))})
				if err != nil || !dc.Wait() {
					t.Errorf("client %d, publish %d: %v", i, n, err)
					return
				}
			}
		}()
		consumers.Add(1)
		go func() {
			defer consumers.Done()
			for {
				select {
				case d := <-deliveries:
					mu.Lock()
					got[string(d.Body)]++
					if len(got) == clients*messages {
						close(all)
					}
					mu.Unlock()
					if err := d.Ack(false); err != nil {
						t.Error(err)
					}
				case <-all:
					return
				}
			}
		}()
	}
	publishers.Wait()
	select {
	case <-all:
	case <-time.After(patience):
		t.Error("not every message was delivered")
		close(all)
	}
	consumers.Wait()
	for body, times := range got {
		if times != 1 {
			t.Errorf("message %q was delivered %d times", body, times)
		}
	}
	settled(t, setup)
}
