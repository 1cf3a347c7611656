package publish

import "github.com/amqpfix/amqpfix/compat"

func oneArgumentPerLine(ch *compat.Channel, exchange, key string, must bool, body []byte) error {
	if err := ch.BasicPublish( // fold // want `use`
		exchange,
		key,
		must,
		nil,
		body,
	); err != nil {
		return err
	}
	return ch.BasicPublish( // fold // want `use`
		exchange, // exchange
		key,      // routing key
		false,    // mandatory
		nil,      // properties
		body,     // body
	)
}

func trailing(ch *compat.Channel, exchange, key string, must bool, body []byte) error {
	if err := ch.BasicPublish( // fold // want `use`
		exchange, // exchange
		key,      // routing key
		true,     // mandatory, since nobody else would notice
		nil,      // properties
		body,     // body
	); err != nil {
		return err
	}
	return ch.BasicPublish( // fold // want `use`
		exchange,
		key,
		// not mandatory
		false,
		// no properties
		nil,
		body,
	)
}

func dropped(ch *compat.Channel, exchange, key string, body []byte) error {
	return ch.BasicPublish(exchange, key, // fold // want `use`
		false, // nobody listens yet
		nil, body)
}

func inARow(ch *compat.Channel, exchange, key string, body []byte) error {
	err := ch.BasicPublish(exchange, key, false, // fold // want `use`
		nil, body)
	if err == nil {
		err = ch.BasicPublish(exchange, // fold // want `use`
			key, true,
			nil, body)
	}
	if err == nil {
		err = ch.BasicPublish(exchange, key /* routing key */, false /* mandatory */, nil /* none */, body /* body */) // fold // want `use`
	}
	if err == nil {
		err = ch.BasicPublish(exchange, key /* mandatory */, true, nil, body /* body */) // fold // want `use`
	}
	if err == nil {
		err = ch.BasicPublish(exchange, key, // fold // want `use`
			true, nil, []byte(`{
	"a": 1
}`))
	}
	return err
}

func chained(get func() *compat.Channel, body []byte) error {
	return /* fold // want `use` */ get().
		BasicPublish("", "q", false, nil, body)
}

func commentInChain(get func() *compat.Channel, body []byte) error {
	return get(). // left position // want `a comment has no place in the new text`
		// really
		BasicPublish("", "q", false, nil, body)
}

func commentNowhere(ch *compat.Channel, body []byte) func() error {
	return func() error { return ch.BasicPublish("", "q", false /* for now */, nil, body) } // fold // want `use`
}

func commentInsideLine(ch *compat.Channel, body []byte) func() error {
	f := func() error { n := 1; _ = n; return ch.BasicPublish("", "q", false /* for now */, nil, body) } // fold // want `use`
	return f
}

func commentInNil(ch *compat.Channel, body []byte) error {
	return ch.BasicPublish("", "q", false, compat.BasicProperties( /* none */ nil), body) // left position // want `no place`
}

var commented = global.BasicPublish("", "q", false /* for now */, nil, nil) // left position // want `no place`
