// Package compat is the publishing API from before message properties became a
// struct, over [newapi], so that a codebase can move to newapi file by file
// instead of all at once. It is for the time of the move; new code has no use
// for it.
//
// Connections and channels are newapi's, with the old methods added. What was
// never replaced (declaring, binding, Qos, Confirm, the Notify methods, Close)
// is promoted from newapi unchanged, and both styles may be mixed on one
// channel.
//
// # Before and after
//
// The old way asks the channel for properties, sets them one by one, and hands
// them back to the channel:
//
//	props := ch.CreateBasicProperties()
//	props.SetContentType("application/json")
//	props.SetPersistent(true)
//	props.Headers()["attempt"] = 1
//	err := ch.BasicPublish("orders", "created", true, props, body)
//
// After the move properties are a value that is written down, and any
// [newapi.Publisher] will do, ch among them:
//
//	err := newapi.BasicPublish(ctx, ch, "orders", "created", newapi.BasicProperties{
//		ContentType:  "application/json",
//		DeliveryMode: newapi.Persistent,
//		Headers:      newapi.Table{"attempt": 1},
//	}, body, newapi.Mandatory)
//
// Both send the same bytes.
//
// # Moving
//
// The command amqpfix (github.com/amqpfix/amqpfix/cmd/amqpfix) makes this
// rewrite where it can prove that nothing else changes, and says why it left
// the rest. Functions marked go:fix inline, such as [Channel.BasicAck], are
// rewritten by go fix alone.
//
// What has to be done by hand can be done from either end:
//
//   - [Wrap] lets a program dial with newapi while packages further in still use
//     the old methods.
//   - [FromStruct] and [ToStruct] carry properties over the border between code
//     that has moved and code that has not.
//   - *Channel is a newapi.Publisher, so a call can move while the variable it
//     goes through keeps its type.
//
// What the move replaces is marked as deprecated with its successor, for editors
// and staticcheck to show.
package compat
