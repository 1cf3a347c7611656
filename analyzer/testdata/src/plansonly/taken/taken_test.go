package taken

import (
	"testing"

	"github.com/amqpfix/amqpfix/compat"
)

var newapi = "taken"

func TestSend(t *testing.T) {
	ch := new(compat.Channel)
	props := ch.CreateBasicProperties()
	props.SetType(newapi)
	if err := ch.BasicPublish("", "q", false, props, nil); err != nil { // fold
		t.Fatal(err)
	}
}
