// Package amqp091 is the API of github.com/rabbitmq/amqp091-go over [newapi].
// A program moves by changing the import path, and nothing else:
//
//	import amqp "github.com/amqpfix/amqpfix/compat/amqp091"
//
// Its call sites compile as they are, put the same bytes on the wire and see the
// same values. After that they move to newapi one at a time, or never.
//
// # What is shared
//
// Everything that does not mention a connection or a channel is amqp091-go's
// own, by alias: [Publishing], [Delivery], [Return], [Table], [Error], [Queue],
// the constants and the error values. A value made by a package that still
// imports amqp091-go fits here and the other way round, and err == ErrClosed
// holds whichever package either came from.
//
// This package's own are the types that do mention them: [Connection],
// [Channel], [Config], [DeferredConfirmation], which is newapi's, and the types
// of recovery.
//
// # What is better
//
// Publishers that meet share one write, so that publishing is several times as
// fast. What was a defect is none here:
//
//   - An int header beyond 32 bits is sent whole. It was cut.
//   - A string property, exchange or routing key of more than 255 bytes is an
//     error of that publish, and so are properties that do not fit a frame. It
//     took the connection down.
//   - A context is honoured as long as the publish waits for the connection,
//     and then nothing of the message is sent. It was looked at once.
//   - A Notify chan that nobody reads holds up nothing else. It held up the
//     connection for five seconds a notice.
//   - A second consumer under a tag that is in use on the channel is an error.
//     It made the broker close the connection.
//   - A prefetch above 65535 is an error. It was cut.
//   - Connection.Close waits for an answer for 30 seconds at most. It waited for
//     ever.
//   - A Channel may be used by several goroutines.
//   - The methods of a zero Connection or Channel that need an open one return
//     ErrClosed. They panicked.
//
// # What differs
//
// While the broker blocks the connection (NotifyBlocked), publishes wait.
// amqp091-go's went on until the socket was full, and then waited. The broker
// sees another product and version in the client's properties.
//
// # What is not there yet
//
// Recovery: its types are here, so that code which mentions them compiles, but
// dialling with a Config.Recovery that is not nil is an error, and
// [Connection.Reconnect] and [Channel.Reconnect] return ErrClosed, as they do in
// amqp091-go when recovery is off.
//
// # Moving on
//
// A *Channel is a [newapi.Publisher], so a call can move while the variable that
// it goes through keeps its type, and both styles may publish on one channel,
// its sequence numbers and confirmations included:
//
//	// before
//	err := ch.PublishWithContext(ctx, "orders", "created", true, false, amqp.Publishing{
//		ContentType: "application/json",
//		Body:        body,
//	})
//
//	// after
//	err := newapi.BasicPublish(ctx, ch, "orders", "created",
//		newapi.BasicProperties{ContentType: "application/json"}, body, newapi.Mandatory)
//
// Where a Publishing comes from elsewhere, [Header] lets it be the properties,
// and [BasicPublish] takes it whole.
package amqp091
