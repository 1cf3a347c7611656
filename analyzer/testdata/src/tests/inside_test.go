package tests

import (
	"testing"

	"github.com/amqpfix/amqpfix/compat"
)

func TestInside(t *testing.T) {
	ch := new(compat.Channel)
	props := ch.CreateBasicProperties()
	props.SetType("inside")
	if err := ch.BasicPublish("", "q", false, props, nil); err != nil { // fold // want `use`
		t.Fatal(err)
	}
}
