// Package amqptest is an AMQP 0-9-1 broker in the process of a test, for
// programs that talk to RabbitMQ. It is to a RabbitMQ client what
// net/http/httptest is to an HTTP client:
//
//	func TestOrderIsAnnounced(t *testing.T) {
//		server := amqptest.NewServer(t)
//		shop := newShop(server.URL()) // the program under test
//
//		shop.PlaceOrder("lamp")
//
//		published, err := server.WaitPublished(ctx, 1)
//		if err != nil {
//			t.Fatal(err)
//		}
//		if got := published[0].Properties.Type(); got != "order.placed" {
//			t.Errorf("type %q", got)
//		}
//	}
//
// Any client that speaks AMQP 0-9-1 can dial it, github.com/rabbitmq/amqp091-go
// among them. A server listens on a port of its own and is ready at once, so
// every test can have one.
//
// # What it shows
//
// Server.Published is every basic.publish in order of arrival, with the very
// octets of its properties; Server.Messages, Server.Queue and Server.Exchange
// show what the broker made of them. Diff compares two recordings.
//
// # What it does wrong on request
//
// NackNext, CloseChannelOnPublish, HoldConfirms, Block, PauseReads, PauseWrites,
// DropConnections, CloseConnections, LimitMessageSize and RequireLogin make
// happen in a test what otherwise happens at night.
//
// # What it is
//
// The classic queues of RabbitMQ, with its reply codes and texts: direct,
// fanout, topic and headers exchanges, bindings between exchanges, alternate
// exchanges, server-named, exclusive and auto-delete queues, the queue arguments
// x-message-ttl, x-expires, x-dead-letter-exchange and -routing-key with the
// x-death header, x-max-length and -bytes, x-overflow, x-max-priority and
// x-single-active-consumer, prefetch, consumer priorities, consumer cancel
// notifications, publisher confirms, mandatory returns, transactions, direct
// reply-to, heartbeats. A table of scenarios in its tests is played against
// RabbitMQ as well and has to come out the same.
//
// # What it is not
//
// It keeps nothing on disk: durable and persistent make no difference. Any user
// and password is taken unless RequireLogin names one, users have all
// permissions, and every virtual host exists. Quorum queues are taken
// for classic ones; streams and x-delivery-limit are refused with 540
// NOT_IMPLEMENTED. The CC and BCC headers are headers like any other. Where RabbitMQ
// hangs up without a word, or with an internal error, on octets that are no
// AMQP, this server says connection.close with the specification's code and a
// text that names the octet, and it holds a client to the channel_max and the
// frame_max that were agreed. connection.blocked comes at once, not with the
// next publish.
//
// # A real broker
//
// StartProxy records what passes on its way to a real broker, with the same
// Published values, so that two programs, or two versions of one, can be
// compared by what they put on the wire.
package amqptest
