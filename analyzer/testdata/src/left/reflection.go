package left

import (
	"fmt"
	"reflect"

	"github.com/amqpfix/amqpfix/compat"
)

func reflected(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	_ = reflect.TypeOf(props)
	return ch.BasicPublish("", "q", false, props, body) // left reflection // want `props is passed to reflect.TypeOf`
}

func printed(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	fmt.Println(props)
	return ch.BasicPublish("", "q", false, props, body) // left escapes // want `props is passed to fmt.Println`
}

// What a getter returns may be printed.
func getterPrinted(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	fmt.Println(props.Type())
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
