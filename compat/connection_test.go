package compat_test

import (
	"context"
	"crypto/tls"
	"errors"
	"testing"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

func TestChannelsOfEveryDialHaveTheOldMethods(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		for name, dial := range map[string]func() (*compat.Connection, error){
			"Dial":       func() (*compat.Connection, error) { return compat.Dial(url) },
			"DialConfig": func() (*compat.Connection, error) { return compat.DialConfig(url, newapi.Config{}) },
			"DialTLS":    func() (*compat.Connection, error) { return compat.DialTLS(url, nil) },
			"Wrap": func() (*compat.Connection, error) {
				conn, err := newapi.Dial(url)
				return compat.Wrap(conn), err
			},
		} {
			conn, err := dial()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for way, open := range map[string]func() (*compat.Channel, error){
				"CreateModel": conn.CreateModel,
				"Channel":     conn.Channel,
				"literal": func() (*compat.Channel, error) {
					ch, err := conn.Connection.Channel()
					return &compat.Channel{Channel: ch}, err
				},
			} {
				ch, err := open()
				if err != nil {
					t.Fatalf("%s, %s: %v", name, way, err)
				}
				queue := declare(t, ch)
				p := ch.CreateBasicProperties()
				p.SetMessageId(way)
				publish(t, ch, queue, p, name)
				if got := get(t, ch, queue); got.Properties.MessageId() != way || string(got.Body) != name {
					t.Errorf("%s, %s: got %q with body %q", name, way, got.Properties.MessageId(), got.Body)
				}
			}
			if err := conn.Close(); err != nil {
				t.Errorf("%s: closing: %v", name, err)
			}
			if ch, err := conn.CreateModel(); ch != nil || !errors.Is(err, newapi.ErrClosed) {
				t.Errorf("%s: CreateModel after Close gave %v, %v; want nil, ErrClosed", name, ch, err)
			}
		}
	})
}

func TestDialConfigUsesItsConfig(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		conn, err := compat.DialConfig(url, newapi.Config{ChannelMax: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Channel(); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Channel(); !errors.Is(err, newapi.ErrChannelMax) {
			t.Errorf("a second channel: %v, want ErrChannelMax", err)
		}
	})
}

func TestDialTLSUsesItsConfig(t *testing.T) {
	asked := make(chan string, 1)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			asked <- hello.ServerName
			return nil, errors.New("no certificate for that name")
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		conn.(*tls.Conn).Handshake()
		conn.Close()
	}()

	conn, err := compat.DialTLS("amqps://"+listener.Addr().String(), &tls.Config{ServerName: "broker.example"})
	if conn != nil || err == nil {
		t.Errorf("DialTLS gave %v, %v; want an error alone", conn, err)
	}
	if name, _ := receive(t, asked); name != "broker.example" {
		t.Errorf("the client asked for %q, want broker.example", name)
	}
	<-ended
}

func TestDialReturnsErrorsAlone(t *testing.T) {
	if conn, err := compat.Dial("http://localhost"); conn != nil || err == nil {
		t.Errorf("Dial of an http URL gave %v, %v; want an error alone", conn, err)
	}
}

func TestBothStylesShareAChannel(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		if err := ch.Confirm(false); err != nil {
			t.Fatal(err)
		}
		confirms := ch.NotifyPublish(make(chan newapi.Confirmation, 3))
		queue := declare(t, ch)
		ctx := context.Background()

		publish(t, ch, queue, nil, "1")
		if err := newapi.BasicPublish(ctx, ch, "", queue, newapi.BasicProperties{}, []byte("2")); err != nil {
			t.Fatal(err)
		}
		deferred, err := newapi.BasicPublishDeferred(ctx, ch, "", queue, newapi.BasicProperties{}, []byte("3"))
		if err != nil {
			t.Fatal(err)
		}
		if err := deferred.Result(ctx); err != nil || deferred.DeliveryTag != 3 {
			t.Errorf("the third publish has tag %d and result %v, want 3 and nil", deferred.DeliveryTag, err)
		}
		for tag := uint64(1); tag <= 3; tag++ {
			if c, _ := receive(t, confirms); c.DeliveryTag != tag || !c.Ack {
				t.Errorf("confirmation %+v, want an ack of %d", c, tag)
			}
		}
		for _, want := range []string{"1", "2", "3"} {
			if got := get(t, ch, queue); string(got.Body) != want {
				t.Errorf("got %q, want %q", got.Body, want)
			}
		}
	})
}

// A zero Channel is closed: code that was handed one gets errors, no panic.
func TestZeroChannelIsClosed(t *testing.T) {
	var ch compat.Channel
	if p := ch.CreateBasicProperties(); p == nil {
		t.Error("CreateBasicProperties gave nil")
	}
	got, getErr := ch.BasicGet("q", true)
	deliveries, consumeErr := ch.BasicConsume("q", "", true, nil)
	if got != nil || deliveries != nil {
		t.Errorf("received from nowhere: %v, %v", got, deliveries)
	}
	for name, err := range map[string]error{
		"BasicPublish": ch.BasicPublish("", "q", false, nil, nil),
		"BasicGet":     getErr,
		"BasicConsume": consumeErr,
		"BasicAck":     ch.BasicAck(1, false),
		"BasicNack":    ch.BasicNack(1, false, false),
		"BasicReject":  ch.BasicReject(1, false),
	} {
		if !errors.Is(err, newapi.ErrClosed) {
			t.Errorf("%s gave %v, want ErrClosed", name, err)
		}
	}
}
