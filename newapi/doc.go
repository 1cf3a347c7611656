// Package newapi is a client for RabbitMQ and other AMQP 0-9-1 brokers in which
// the properties of a message are a value:
//
//	conn, err := newapi.Dial("amqp://guest:guest@localhost/")
//	…
//	ch, err := conn.Channel()
//	…
//	err = newapi.BasicPublish(ctx, ch, "orders", "order.created",
//		newapi.BasicProperties{ContentType: "application/json", DeliveryMode: newapi.Persistent},
//		body, newapi.Mandatory)
//
// Everything but publishing and the type of a delivery has the names, argument
// order and meaning of github.com/rabbitmq/amqp091-go, and shares its vocabulary
// types by alias.
//
// # Publishing
//
// [BasicPublish] is generic over [AMQPHeader]: anything that can write its own
// property list. [BasicProperties] is the plain choice, [WithHeaders] adds a typed
// header table that costs no map, a received [ReadOnlyBasicProperties] forwards
// what came, byte for byte, and a type of your own can do better still. A property
// is on the wire when it is non-zero or named in SendZero.
//
// A plain publish returns when its octets are with the kernel; publishers that
// arrive meanwhile share one write. [BasicPublishDeferred] on a channel in confirm
// mode returns at once, with the future of the broker's answer, and
// [Config.Buffered] makes plain publishes do the same without one.
//
// What cannot be sent, such as a string property of more than 255 octets or a
// header value that AMQP has no type for, is refused before anything is written,
// and the channel goes on.
//
// # Errors
//
// Exceptions raised by the broker are *[Error] values with the broker's code and
// text, as in amqp091-go, and so are protocol errors found on this side. Sentinels
// such as [ErrClosed] can be compared with ==.
//
// # Concurrency and memory
//
// A nil context.Context is context.Background() everywhere.
//
// Connections and channels may be used by any number of goroutines. A delivery
// owns its memory for ever. What is passed to a publish is only read, and belongs
// to the caller again when it returns. Nothing a user does or fails to do with a
// chan holds up the connection: deliveries wait in bounded memory (see
// [Config.ConsumerBufferBytes]), notices in a bounded queue.
package newapi
