package newapi

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// A copy of a confirmation is the same future, whenever it was made and however the
// publish ends.
func TestCopyOfAConfirmation(t *testing.T) {
	isReturned := func(err error) bool {
		var r *ReturnedError
		return errors.As(err, &r)
	}
	for _, test := range []struct {
		name   string
		settle func(p *peer)
		acked  bool
		result func(error) bool
	}{
		{"acknowledged", func(p *peer) { p.write(1, &wire.BasicAck{DeliveryTag: 1}) }, true, func(err error) bool { return err == nil }},
		{"refused", func(p *peer) { p.write(1, &wire.BasicNack{DeliveryTag: 1}) }, false, func(err error) bool { return err == ErrNacked }},
		{"returned", func(p *peer) { p.returned(1, nil); p.write(1, &wire.BasicAck{DeliveryTag: 1}) }, true, isReturned},
		{"lost", func(p *peer) { p.conn.Close() }, false, func(err error) bool { return errors.Is(err, ErrLost) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.confirming(conn)
			d, err := BasicPublishDeferred(bg, ch, "", "k", BasicProperties{}, nil, Mandatory)
			if err != nil {
				t.Fatal(err)
			}
			early := *d
			earlier := early
			p.message()
			copied := make(chan DeferredConfirmation)
			go func() { copied <- *d }() // which may be while it is settled
			test.settle(p)
			meanwhile := <-copied
			next(t, "Done", d.Done())
			late := *d
			for name, c := range map[string]*DeferredConfirmation{"itself": d, "early copy": &early, "copy of a copy": &earlier, "late copy": &late, "copy made meanwhile": &meanwhile} {
				next(t, "Done", c.Done())
				ok, err := c.WaitContext(bg)
				if c.Acked() != test.acked || c.Wait() != test.acked || ok != test.acked || err != nil {
					t.Errorf("%s: Acked %v, Wait %v, WaitContext %v %v, want %v", name, c.Acked(), c.Wait(), ok, err, test.acked)
				}
				if err := c.Result(bg); !test.result(err) {
					t.Errorf("%s: Result %v", name, err)
				}
				if c.DeliveryTag != 1 {
					t.Errorf("%s: DeliveryTag %d", name, c.DeliveryTag)
				}
			}
		})
	}
}

// What a Publisher of somebody's own hands on is checked like everything else.
func TestEncodedMessageIsChecked(t *testing.T) {
	ok := EncodedMessage{RoutingKey: "k", Header: []byte{0, 0}}
	with := func(change func(*EncodedMessage)) EncodedMessage {
		m := ok
		change(&m)
		return m
	}
	for _, test := range []struct {
		name    string
		message EncodedMessage
		want    string
	}{
		{"no header", with(func(m *EncodedMessage) { m.Header = nil }), "Header"},
		{"half a header", with(func(m *EncodedMessage) { m.Header = []byte{0} }), "Header"},
		{"a header cut short", with(func(m *EncodedMessage) { m.Header = []byte{0x80, 0, 9, 'a'} }), "Header"},
		{"more than a header", with(func(m *EncodedMessage) { m.Header = []byte{0, 0, 0} }), "Header"},
		{"an exchange too long", with(func(m *EncodedMessage) { m.Exchange = strings.Repeat("x", 256) }), "exchange is 256 bytes"},
		{"a routing key too long", with(func(m *EncodedMessage) { m.RoutingKey = strings.Repeat("x", 256) }), "routing key is 256 bytes"},
		{"an unknown flag", with(func(m *EncodedMessage) { m.Flags = 0x10 }), "0x10"},
	} {
		t.Run(test.name, func(t *testing.T) {
			conn, p := newPeer(t, Config{})
			ch := p.confirming(conn)
			for _, deferred := range []bool{false, true} {
				test.message.Deferred = deferred
				d, err := ch.PublishEncoded(bg, test.message)
				if d != nil || err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%v, %v, want an error with %q", d, err, test.want)
				}
			}
			if _, err := ch.PublishEncoded(bg, ok); err != nil {
				t.Fatal(err)
			}
			if m := p.message(); m.publish.RoutingKey != "k" || ch.GetNextPublishSeqNo() != 2 {
				t.Errorf("published %v, the next tag is %d", m.publish, ch.GetNextPublishSeqNo())
			}
		})
	}
}

// No context at all is one that does not end.
func TestNilContext(t *testing.T) {
	var none context.Context
	conn, p := newPeer(t, Config{})
	ch := p.confirming(conn)
	d, err := BasicPublishDeferred(none, ch, "", "k", BasicProperties{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ch.PublishEncoded(none, EncodedMessage{Header: []byte{0, 0}}); err != nil {
		t.Fatal(err)
	}
	if err := ch.Flush(none); err != nil {
		t.Fatal(err)
	}
	p.message()
	p.message()
	p.write(1, &wire.BasicAck{DeliveryTag: 2, Multiple: true})
	if ok, err := d.WaitContext(none); !ok || err != nil {
		t.Errorf("WaitContext: %v, %v", ok, err)
	}
	if err := d.Result(none); err != nil {
		t.Errorf("Result: %v", err)
	}
	deliveries, err := ch.ConsumeWithContext(none, "q", "tag", true, false, false, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	method[*wire.BasicConsume](p)
	p.deliver(1, []byte{0, 0}, nil)
	next(t, "a delivery", deliveries)
	consumed := make(chan error, 1)
	go func() {
		consumed <- ch.ConsumeFunc(none, "q", "func", true, false, false, nil, func(Delivery) {})
	}()
	method[*wire.BasicConsume](p)
	p.write(1, &wire.BasicConsumeOk{ConsumerTag: "func"})
	p.write(1, &wire.BasicCancel{ConsumerTag: "func", NoWait: true})
	if err, _ := next(t, "ConsumeFunc", consumed); err != nil {
		t.Errorf("ConsumeFunc: %v", err)
	}
}

func TestNilTransport(t *testing.T) {
	for name, open := range map[string]func() (*Connection, error){
		"Open":        func() (*Connection, error) { return Open(nil, Config{}) },
		"Config.Dial": func() (*Connection, error) { return dialWith(func() (net.Conn, error) { return nil, nil }) },
	} {
		if conn, err := open(); conn != nil || err == nil || !strings.Contains(err.Error(), "nil") {
			t.Errorf("%s: %v, %v", name, conn, err)
		}
	}
	refused := errors.New("refused")
	if _, err := dialWith(func() (net.Conn, error) { return nil, refused }); err != refused {
		t.Errorf("the error of Config.Dial: %v", err)
	}
	if _, err := dialWith(func() (net.Conn, error) { return closedTransport{}, nil }); err == nil {
		t.Error("opened on a transport that is closed")
	}
}

func dialWith(dial func() (net.Conn, error)) (*Connection, error) {
	return DialConfig("amqp://peer.invalid/", Config{Dial: func(string, string) (net.Conn, error) { return dial() }})
}

// closedTransport is at its end from the start.
type closedTransport struct{ net.Conn }

func (closedTransport) Read([]byte) (int, error)  { return 0, io.EOF }
func (closedTransport) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (closedTransport) Close() error              { return nil }
