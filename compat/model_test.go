package compat_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amqpfix/amqpfix/compat"
	"github.com/amqpfix/amqpfix/newapi"
)

// notifier is code of a user that has not moved yet.
type notifier struct{ model compat.Model }

func (n notifier) orderCreated(id string) error {
	props := n.model.CreateBasicProperties()
	props.SetContentType("application/json")
	props.SetPersistent(true)
	props.SetMessageId(id)
	props.Headers()["source"] = "shop"
	return n.model.BasicPublish("orders", "created", true, props, []byte(`{"id":"`+id+`"}`))
}

// fakeModel is the mock such a user has in tests.
type fakeModel struct {
	published []string
	last      compat.BasicProperties
	err       error
}

func (f *fakeModel) CreateBasicProperties() compat.BasicProperties {
	return compat.FromStruct(newapi.BasicProperties{})
}

func (f *fakeModel) BasicPublish(exchange, routingKey string, mandatory bool, properties compat.BasicProperties, body []byte) error {
	f.published = append(f.published, fmt.Sprintf("%s/%s mandatory=%v %s", exchange, routingKey, mandatory, body))
	f.last = properties
	return f.err
}

func TestModelCanBeMocked(t *testing.T) {
	var fake fakeModel
	if err := (notifier{&fake}).orderCreated("17"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`orders/created mandatory=true {"id":"17"}`}, fake.published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	want := newapi.BasicProperties{
		ContentType:  "application/json",
		DeliveryMode: newapi.Persistent,
		MessageId:    "17",
		Headers:      newapi.Table{"source": "shop"},
	}
	if diff := cmp.Diff(want, compat.ToStruct(fake.last)); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}

	fake.err = newapi.ErrClosed
	if err := (notifier{&fake}).orderCreated("18"); err != newapi.ErrClosed {
		t.Errorf("error is %v, want the mock's", err)
	}
}

func TestModelIsAChannel(t *testing.T) {
	onBrokers(t, func(t *testing.T, url string) {
		ch := open(t, url)
		returns := ch.NotifyBasicReturn(make(chan compat.BasicReturn, 1))
		if err := ch.ExchangeDeclare("orders", newapi.ExchangeTopic, false, true, false, false, nil); err != nil {
			t.Fatal(err)
		}
		if err := (notifier{ch}).orderCreated("17"); err != nil {
			t.Fatal(err)
		}
		if r, _ := receive(t, returns); r.Exchange != "orders" || r.RoutingKey != "created" || r.Properties.MessageId() != "17" {
			t.Errorf("came back as %+v", r)
		}
		if err := ch.ExchangeDelete("orders", false, false); err != nil {
			t.Fatal(err)
		}
	})
}
