package newapi

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// answers is an Acknowledger that notes what it is told.
type answers struct {
	got []string
	err error
}

func (a *answers) Ack(tag uint64, multiple bool) error {
	a.got = append(a.got, fmt.Sprint("ack ", tag, multiple))
	return a.err
}

func (a *answers) Nack(tag uint64, multiple, requeue bool) error {
	a.got = append(a.got, fmt.Sprint("nack ", tag, multiple, requeue))
	return a.err
}

func (a *answers) Reject(tag uint64, requeue bool) error {
	a.got = append(a.got, fmt.Sprint("reject ", tag, requeue))
	return a.err
}

func TestDeliveryAnswersThroughItsAcknowledger(t *testing.T) {
	broken := errors.New("broken pipe")
	a := &answers{err: broken}
	d := Delivery{Acknowledger: a, DeliveryTag: 7}
	for _, err := range []error{d.Ack(true), d.Ack(false), d.Nack(true, false), d.Nack(false, true), d.Reject(true), d.Reject(false)} {
		if err != broken {
			t.Errorf("error %v, want the Acknowledger's", err)
		}
	}
	want := []string{"ack 7 true", "ack 7 false", "nack 7 true false", "nack 7 false true", "reject 7 true", "reject 7 false"}
	if !reflect.DeepEqual(a.got, want) {
		t.Errorf("answered %q, want %q", a.got, want)
	}
}

func TestDeliveryWithoutAcknowledger(t *testing.T) {
	var d Delivery
	for name, err := range map[string]error{"Ack": d.Ack(false), "Nack": d.Nack(false, false), "Reject": d.Reject(false)} {
		if err != ErrDeliveryNotInitialized {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeliveryIsForwardedByteForByte(t *testing.T) {
	d := Delivery{ReadOnlyBasicProperties: mustReadOnly(t, everyProperty), Body: []byte("body")}
	ch := new(recorder)
	if err := BasicPublish(context.Background(), ch, "x", "k", d, d.Body); err != nil {
		t.Fatal(err)
	}
	if got := ch.messages[0]; got.properties != d.ReadOnlyBasicProperties || string(got.Body) != "body" {
		t.Errorf("forwarded %+v", got)
	}
}

func TestDeliveryAndReturnAsText(t *testing.T) {
	p := mustReadOnly(t, BasicProperties{Priority: 5})
	d := Delivery{ReadOnlyBasicProperties: p, DeliveryTag: 7, Exchange: "events", RoutingKey: "order", Body: []byte("body")}
	if got, want := d.String(), `delivery 7 from exchange "events" with key "order": {Priority:5}, 4 byte body`; got != want {
		t.Errorf("Delivery: %s\nwant      %s", got, want)
	}
	r := Return{ReadOnlyBasicProperties: p, ReplyCode: NoRoute, ReplyText: "NO_ROUTE", Exchange: "events", RoutingKey: "order"}
	if got, want := r.String(), `returned, 312 NO_ROUTE, from exchange "events" with key "order": {Priority:5}, 0 byte body`; got != want {
		t.Errorf("Return: %s\nwant    %s", got, want)
	}
}
