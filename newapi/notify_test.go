package newapi

import (
	"runtime"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// returned sends a message back, in frames of the negotiated size.
func (p *peer) returned(channel uint16, body []byte) {
	p.tb.Helper()
	b, err := wire.AppendMethod(nil, channel, &wire.BasicReturn{ReplyCode: NoRoute, ReplyText: "NO_ROUTE", RoutingKey: "k"})
	if err != nil {
		p.tb.Fatal(err)
	}
	b = wire.AppendContentHeader(b, channel, uint64(len(body)), []byte{0, 0})
	p.writeRaw(wire.AppendBody(b, channel, body, 131072))
}

// Returned messages that nobody receives cost memory up to a bound, whichever way
// they are asked for.
func TestUnreadReturnsAreBoundedInOctets(t *testing.T) {
	const body = 1 << 20
	for _, test := range []struct {
		name   string
		notify func(*Channel) <-chan int // yields the sizes of bodies
	}{
		{"NotifyReturn", func(ch *Channel) <-chan int {
			returns, sizes := ch.NotifyReturn(make(chan Return)), make(chan int)
			go func() {
				defer close(sizes)
				<-ch.done // nobody reads before
				for r := range returns {
					sizes <- len(r.Body)
				}
			}()
			return sizes
		}},
		{"NotifyReturnAs", func(ch *Channel) <-chan int {
			return NotifyReturnAs(ch, make(chan int), func(r Return) int { return len(r.Body) })
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.channel(conn)
			sizes := test.notify(ch)
			for i := 0; i < 3*returnBacklog/body; i++ {
				p.returned(1, make([]byte, body))
			}
			p.sync(conn)
			p.conn.Close()
			held := 0
			for {
				size, more := next(t, "a return", sizes)
				if !more {
					break
				}
				if size != body {
					t.Errorf("a body of %d octets", size)
				}
				held += size
			}
			if held > returnBacklog || held < returnBacklog-body {
				t.Errorf("%d octets were held, the bound is %d", held, returnBacklog)
			}
		})
	}
}

func TestBacklogHasRoomAgainOnceRead(t *testing.T) {
	var returns listeners[int]
	c := returns.add(make(chan int))
	l := returns.all[0].(*listener[int])
	for round := 0; round < 3; round++ {
		returns.sendSized(0, 3*returnBacklog) // a single one may be larger
		returns.sendSized(1, 1)               // no room
		if v, _ := next(t, "a large notice", c); v != 0 {
			t.Errorf("received %d, want the large notice", v)
		}
		for left := int64(1); left > 0; { // delivered, but perhaps not yet counted
			l.mu.Lock()
			left = l.octets
			l.mu.Unlock()
		}
		for i := 0; i < 5; i++ {
			returns.sendSized(2+i, returnBacklog/4)
		}
		for i := 0; i < 4; i++ {
			if v, _ := next(t, "a notice", c); v != 2+i {
				t.Errorf("received %d, want %d", v, 2+i)
			}
		}
		for left := int64(1); left > 0; {
			l.mu.Lock()
			left = l.octets
			l.mu.Unlock()
		}
	}
	returns.close()
	if v, more := next(t, "the end", c); more {
		t.Errorf("received %d, which had no room", v)
	}
}

func TestNoticesAreBoundedInNumber(t *testing.T) {
	var all listeners[int]
	c := all.add(make(chan int))
	const sent = 3 * noticeBacklog
	for i := 0; i < sent; i++ {
		all.send(i)
	}
	all.close()
	n := 0
	for v := range c {
		if v != n {
			t.Fatalf("notice %d is %d", n, v)
		}
		n++
	}
	if n < noticeBacklog || n > 2*noticeBacklog+1 {
		t.Errorf("%d of %d notices were held, the bound is %d", n, sent, noticeBacklog)
	}
}

// A program that receives from both chans of a channel learns that a message came
// back before it learns that the broker took it, as the broker sent it; with
// unbuffered chans too, where a select would otherwise choose.
func TestReturnComesBeforeItsConfirmation(t *testing.T) {
	for _, test := range []struct {
		name              string
		returns, confirms int // capacities
	}{
		{"unbuffered", 0, 0},
		{"confirmations buffered", 0, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.confirming(conn)
			returns := ch.NotifyReturn(make(chan Return, test.returns))
			confirms := ch.NotifyPublish(make(chan Confirmation, test.confirms))
			for round := 0; round < 50; round++ {
				if _, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil, Mandatory); err != nil {
					t.Fatal(err)
				}
				p.message()
				p.returned(1, nil)
				p.write(1, &wire.BasicAck{DeliveryTag: uint64(round + 1)})
				p.sync(conn)
				select {
				case <-returns:
				case c := <-confirms:
					t.Fatalf("confirmation %d came before the return", c.DeliveryTag)
				}
				if c, _ := next(t, "the confirmation", confirms); c.DeliveryTag != uint64(round+1) {
					t.Fatalf("confirmation %d in round %d", c.DeliveryTag, round)
				}
			}
		})
	}
}

// Who never receives returns learns of confirmations all the same.
func TestConfirmationsDoNotWaitForAnAbandonedListener(t *testing.T) {
	var returns listeners[int]
	var confirms listeners[int]
	unread := returns.add(make(chan int))
	c := confirms.add(make(chan int))
	returns.send(1)
	marks := returns.marks(nil)
	if len(marks) != 1 {
		t.Fatalf("%d marks of a listener that is behind", len(marks))
	}
	marks[0].late.Store(true) // its time is up
	if again := returns.marks(nil); len(again) != 0 {
		t.Errorf("%d marks of a listener that takes no part", len(again))
	}
	confirms.sendAfter(2, 0, returns.marks(nil))
	if v, _ := next(t, "the confirmation", c); v != 2 {
		t.Errorf("received %d", v)
	}
	<-unread
	returns.close()
	confirms.close()
}

// ended receives until c is closed and reports how many came before.
func ended[T any](t *testing.T, what string, c <-chan T) (notices int) {
	t.Helper()
	for {
		if _, more := next(t, what, c); !more {
			return notices
		}
		notices++
	}
}

// Only the last user of a chan may close it, and registering it twice with the
// same method must not deliver twice.
func TestChanOfSeveralRegistrations(t *testing.T) {
	type fixture struct {
		p             *peer
		conn          *Connection
		first, second *Channel
	}
	lose := func(f fixture) { f.p.conn.Close() }
	for _, test := range []struct {
		name string
		run  func(*testing.T, fixture) (notices, want int)
	}{
		{"Connection.NotifyClose", func(t *testing.T, f fixture) (int, int) {
			c := make(chan *Error, 4)
			f.conn.NotifyClose(c)
			f.conn.NotifyClose(c)
			lose(f)
			return ended(t, "closes", c), 1
		}},
		{"Connection.NotifyBlocked", func(t *testing.T, f fixture) (int, int) {
			c := make(chan Blocking, 4)
			f.conn.NotifyBlocked(c)
			f.conn.NotifyBlocked(c)
			f.p.write(0, &wire.ConnectionBlocked{})
			f.p.sync(f.conn)
			lose(f)
			return ended(t, "blocked", c), 3
		}},
		{"Channel.NotifyClose", func(t *testing.T, f fixture) (int, int) {
			c := make(chan *Error, 4)
			f.first.NotifyClose(c)
			f.first.NotifyClose(c)
			lose(f)
			return ended(t, "closes", c), 1
		}},
		{"NotifyClose of connection and channels", func(t *testing.T, f fixture) (int, int) {
			c := make(chan *Error, 4)
			f.conn.NotifyClose(c)
			f.first.NotifyClose(c)
			f.second.NotifyClose(c)
			f.p.write(1, &wire.ChannelClose{ReplyCode: NotFound})
			method[*wire.ChannelCloseOk](f.p)
			lose(f)
			return ended(t, "closes", c), 3
		}},
		{"Channel.NotifyFlow", func(t *testing.T, f fixture) (int, int) {
			c := make(chan bool, 4)
			f.first.NotifyFlow(c)
			f.first.NotifyFlow(c)
			f.p.write(1, &wire.ChannelFlow{Active: true})
			f.p.sync(f.conn)
			lose(f)
			return ended(t, "flows", c), 1
		}},
		{"Channel.NotifyCancel", func(t *testing.T, f fixture) (int, int) {
			c := make(chan string, 4)
			f.first.NotifyCancel(c)
			f.first.NotifyCancel(c)
			f.p.write(1, &wire.BasicCancel{ConsumerTag: "tag", NoWait: true})
			f.p.sync(f.conn)
			lose(f)
			return ended(t, "cancels", c), 1
		}},
		{"Channel.NotifyReturn of two channels", func(t *testing.T, f fixture) (int, int) {
			c := make(chan Return, 4)
			f.first.NotifyReturn(c)
			f.first.NotifyReturn(c)
			f.second.NotifyReturn(c)
			f.p.returned(1, nil)
			f.p.write(1, &wire.ChannelClose{ReplyCode: NotFound})
			method[*wire.ChannelCloseOk](f.p)
			f.p.returned(2, nil) // after the first channel has ended
			f.p.sync(f.conn)
			lose(f)
			return ended(t, "returns", c), 2
		}},
		{"NotifyReturnAs", func(t *testing.T, f fixture) (int, int) {
			c := make(chan string, 4)
			as := func(r Return) string { return r.ReplyText }
			NotifyReturnAs(f.first, c, as)
			NotifyReturnAs(f.first, c, as)
			f.p.returned(1, nil)
			f.p.sync(f.conn)
			lose(f)
			return ended(t, "returns", c), 1
		}},
		{"Channel.NotifyPublish", func(t *testing.T, f fixture) (int, int) {
			c := make(chan Confirmation, 4)
			f.first.NotifyPublish(c)
			f.first.NotifyPublish(c)
			confirmOne(t, f.p, f.conn, f.first)
			lose(f)
			return ended(t, "confirmations", c), 1
		}},
		{"Channel.NotifyConfirm with one chan, twice", func(t *testing.T, f fixture) (int, int) {
			c := make(chan uint64, 4)
			f.first.NotifyConfirm(c, c)
			f.second.NotifyConfirm(c, c)
			confirmOne(t, f.p, f.conn, f.first)
			lose(f)
			return ended(t, "tags", c), 1
		}},
		{"Channel.NotifyConfirm with the same chan again", func(t *testing.T, f fixture) (int, int) {
			c, other := make(chan uint64, 4), make(chan uint64, 4)
			f.first.NotifyConfirm(c, other)
			f.first.NotifyConfirm(c, other)
			f.first.NotifyConfirm(c, nil)
			f.first.NotifyConfirm(c, c) // now for nacks too
			confirmOne(t, f.p, f.conn, f.first)
			lose(f)
			return ended(t, "acks", c) + ended(t, "nacks", other), 1
		}},
		{"Channel.NotifyConfirm without a chan for nacks", func(t *testing.T, f fixture) (int, int) {
			c := make(chan uint64, 4)
			f.first.NotifyConfirm(c, nil)
			confirmOne(t, f.p, f.conn, f.first)
			lose(f)
			return ended(t, "acks", c), 1
		}},
		{"nil", func(t *testing.T, f fixture) (int, int) {
			f.conn.NotifyClose(nil)
			f.conn.NotifyBlocked(nil)
			f.first.NotifyClose(nil)
			f.first.NotifyFlow(nil)
			f.first.NotifyCancel(nil)
			f.first.NotifyReturn(nil)
			f.first.NotifyPublish(nil)
			f.first.NotifyConfirm(nil, nil)
			NotifyReturnAs(f.first, nil, func(Return) int { return 0 })
			f.p.returned(1, nil)
			confirmOne(t, f.p, f.conn, f.first)
			lose(f)
			<-f.conn.done
			return 0, 0
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			f := fixture{p: p, conn: conn, first: p.channelWithID(conn, 1), second: p.channelWithID(conn, 2)}
			if notices, want := test.run(t, f); notices != want {
				t.Errorf("%d notices, want %d", notices, want)
			}
		})
	}
	within(t, "the count of users", func() { // of other tests' chans too, which take their grace
		for left := 1; left > 0; runtime.Gosched() {
			noticed.mu.Lock()
			left = len(noticed.count)
			noticed.mu.Unlock()
		}
	})
}

// confirmOne publishes on a channel and has it acknowledged.
func confirmOne(t *testing.T, p *peer, conn *Connection, ch *Channel) {
	t.Helper()
	if err := ch.Confirm(true); err != nil {
		t.Fatal(err)
	}
	method[*wire.ConfirmSelect](p)
	if err := BasicPublish(bg, ch, "", "k", BasicProperties{}, nil); err != nil {
		t.Fatal(err)
	}
	p.message()
	p.write(ch.id, &wire.BasicAck{DeliveryTag: 1})
	p.sync(conn)
}
