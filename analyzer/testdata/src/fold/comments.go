package fold

import "github.com/amqpfix/amqpfix/compat"

// A comment within a setter has no place in a literal, but one within the
// argument has.
func inside(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a" /* or b */ + "c")
	props.SetAppId( /* ours */ "shop")
	props.SetUserId("guest")
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// Comments between the setters are lead comments of the next.
func leads(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()

	// first
	// of two lines
	props.SetType("a")
	/* block */
	props.SetAppId("shop") /* behind */
	// last, before the publish

	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// A comment behind the creation stays there.
func behindCreation(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties() // why
	props.SetType("a")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func behindEmpty(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()                 // nothing set
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func multiline(ch *compat.Channel, a, b string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(
		a + // first
			b,
	)
	props.SetHeaders(compat.Table{
		"x": 1, // one
		// two
		"yy": 2,
	})
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// Trailing comments of neighbours are aligned with what replaces the lines.
func aligned(ch *compat.Channel, body []byte) error {
	n := len(body)                                      // how many
	props := ch.CreateBasicProperties()                 // for what
	err := ch.BasicPublish("", "q", false, props, body) // fold // want `use`
	counter += n                                        // count them
	return err
}
