package main

import "github.com/amqpfix/amqpfix/analyzer/driver"

// forms are what a call may become, as the report has it in parentheses.
var forms = []struct {
	tier       driver.Tier
	title, old string
	new        []string
}{
	{"native", "the message literal became a properties literal and a body",
		`ch.PublishWithContext(ctx, ex, key, false, false, amqp.Publishing{Type: t, Body: b})`,
		[]string{`newapi.BasicPublish(ctx, ch, ex, key, newapi.BasicProperties{Type: t}, b)`}},
	{"header", "the message is named twice, as properties and for its body",
		`ch.PublishWithContext(ctx, ex, key, m, false, msg)`,
		[]string{`newapi.BasicPublish(ctx, ch, ex, key, amqp091.Header(msg), msg.Body, newapi.FlagsIf(m, false))`}},
	{"whole", "the message is evaluated once and published as it is",
		`ch.PublishWithContext(ctx, ex, key, false, false, message())`,
		[]string{`amqp091.BasicPublish(ctx, ch, ex, key, message())`}},
	{"fold", "create and setters became one literal",
		`props := ch.CreateBasicProperties(); props.SetType(t); ch.BasicPublish(ex, key, false, props, b)`,
		[]string{`props := newapi.BasicProperties{Type: t}`, `newapi.BasicPublish(ctx, ch, ex, key, props, b)`}},
	{"value", "setters became assignments where they stand",
		`if urgent { props.SetPriority(9) }`,
		[]string{`if urgent { props.Priority = 9 }`}},
}
