package tests_test

import (
	"testing"

	"github.com/amqpfix/amqpfix/compat"
	"tests"
)

func TestOutside(t *testing.T) {
	ch := new(compat.Channel)
	if err := tests.Send(ch, nil); err != nil {
		t.Fatal(err)
	}
	if err := ch.BasicPublish("", "q", true, nil, nil); err != nil { // fold // want `use newapi.BasicPublish`
		t.Fatal(err)
	}
}

func Publish(ch *compat.Channel, props compat.BasicProperties) error {
	return ch.BasicPublish("", "q", true, props, nil) // left parameter // want `props is a parameter`
}
