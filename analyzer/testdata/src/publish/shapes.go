package publish

import (
	"errors"
	"log"

	"github.com/amqpfix/amqpfix/compat"
)

func statement(ch *compat.Channel, body []byte) {
	ch.BasicPublish("", "q", false, nil, body) // fold // want `use newapi.BasicPublish\(context.Background\(\), ch, "", "q", newapi.BasicProperties{}, body\)$`
}

func blank(ch *compat.Channel, body []byte) {
	_ = ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func assigned(ch *compat.Channel, body []byte) error {
	err := ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
	if err == nil {
		err = ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
	}
	var again = ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
	return errors.Join(err, again)
}

func condition(ch *compat.Channel, body []byte) error {
	if err := ch.BasicPublish("", "q", false, nil, body); err != nil { // fold // want `use`
		return err
	} else if err := ch.BasicPublish("", "q", true, nil, body); err != nil { // fold // want `use`
		return err
	}
	switch ch.BasicPublish("", "q", false, nil, body) { // fold // want `use`
	case nil:
	}
	for ch.BasicPublish("", "q", false, nil, body) != nil { // fold // want `use`
	}
	return nil
}

func named(ch *compat.Channel, body []byte) (err error) {
	defer func() {
		if err != nil {
			log.Print(ch.BasicPublish("", "errors", false, nil, []byte(err.Error()))) // fold // want `use`
		}
	}()
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func argument(ch *compat.Channel, body []byte) error {
	return errors.Join(ch.BasicPublish("a", "q", false, nil, body), ch.BasicPublish("b", "q", false, nil, body)) // fold fold // want `"a"` `"b"`
}

func delayed(ch *compat.Channel, body []byte) {
	defer ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
	go ch.BasicPublish("", "q", true, nil, body)     // fold // want `use`
}

func channels(ch *compat.Channel, results chan error, body []byte) {
	results <- ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
	select {
	case results <- ch.BasicPublish("", "q", false, nil, body): // fold // want `use`
	default:
	}
}

var global *compat.Channel

var atStart = global.BasicPublish("", "q", false, nil, nil) // fold // want `use`

var function = func(body []byte) error {
	props := global.CreateBasicProperties()
	props.SetType("a")
	return global.BasicPublish("", "q", false, props, body) // fold // want `use`
}
