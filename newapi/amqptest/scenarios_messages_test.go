package amqptest_test

import (
	"fmt"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

var messageScenarios = []scenario{
	asyncRefusal("publishing to a missing exchange", "404 NOT_FOUND - no exchange 'nope' in vhost '/'",
		func(p *player) { p.publish("nope", "k", amqp091.Publishing{}) }),
	asyncRefusal("publishing as somebody else", "406 PRECONDITION_FAILED - user_id property set to 'zed' but authenticated user was 'guest'",
		func(p *player) { p.publish("", "k", amqp091.Publishing{UserId: "zed"}) }),
	asyncRefusal("an expiration that is no number", "406 PRECONDITION_FAILED - invalid expiration 'soon': no_integer",
		func(p *player) { p.publish("", "k", amqp091.Publishing{Expiration: "soon"}) }),
	asyncRefusal("a negative expiration", "406 PRECONDITION_FAILED - invalid expiration '-1': {value_negative,-1}",
		func(p *player) { p.publish("", "k", amqp091.Publishing{Expiration: "-1"}) }),
	asyncRefusal("publishing to an internal exchange", "403 ACCESS_REFUSED - cannot publish to internal exchange 'amq.rabbitmq.trace' in vhost '/'",
		func(p *player) { p.publish("amq.rabbitmq.trace", "k", amqp091.Publishing{}) }),
	asyncRefusal("acknowledging nothing", "406 PRECONDITION_FAILED - unknown delivery tag 7",
		func(p *player) { must(p.t, p.ch.Ack(7, false)) }),
	asyncRefusal("acknowledging nothing and all before", "406 PRECONDITION_FAILED - unknown delivery tag 7",
		func(p *player) { must(p.t, p.ch.Ack(7, true)) }),
	asyncRefusal("acknowledging tag 0", "406 PRECONDITION_FAILED - unknown delivery tag 0",
		func(p *player) { must(p.t, p.ch.Ack(0, false)) }),
	asyncRefusal("rejecting nothing", "406 PRECONDITION_FAILED - unknown delivery tag 7",
		func(p *player) { must(p.t, p.ch.Reject(7, true)) }),
	asyncRefusal("acknowledging twice", "406 PRECONDITION_FAILED - unknown delivery tag 1",
		func(p *player) {
			q := p.queue("q", nil)
			p.publish("", q, amqp091.Publishing{})
			d := p.get(q)
			must(p.t, d.Ack(false))
			must(p.t, d.Ack(false))
		}),

	{"user-id of the user", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{UserId: "guest", Body: []byte("m")})
		p.bodies("q", q)
	}, []string{"q: m"}},
	{"acknowledging all of none", func(p *player) {
		must(p.t, p.ch.Ack(0, true))
	}, nil},
	{"get counts what is left", func(p *player) {
		q := p.queue("q", nil)
		p.sendKeys("", q, q, q)
		for i := 0; i < 4; i++ {
			d, ok, err := p.ch.Get(q, false)
			p.see("%v tag %d, %d left, %v", ok, d.DeliveryTag, d.MessageCount, err)
		}
	}, []string{
		"true tag 1, 2 left, <nil>", "true tag 2, 1 left, <nil>", "true tag 3, 0 left, <nil>", "false tag 0, 0 left, <nil>",
	}},
	{"requeued messages come back where they were, marked", func(p *player) {
		q := p.queue("q", nil)
		for _, body := range []string{"1", "2", "3", "4"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		p.get(q)
		second := p.get(q)
		third := p.get(q)
		must(p.t, third.Reject(true))
		must(p.t, second.Nack(true, true)) // the first as well
		for i := 0; i < 4; i++ {
			d := p.get(q)
			p.see("%s redelivered %v", d.Body, d.Redelivered)
		}
	}, []string{"1 redelivered true", "2 redelivered true", "3 redelivered true", "4 redelivered false"}},
	{"ack multiple", func(p *player) {
		q := p.queue("q", nil)
		for _, body := range []string{"1", "2", "3", "4"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		var deliveries []amqp091.Delivery
		for i := 0; i < 4; i++ {
			deliveries = append(deliveries, p.get(q))
		}
		must(p.t, deliveries[1].Ack(false))
		must(p.t, deliveries[2].Ack(true))
		//lint:ignore SA1019 programs use it, so the server has it
		must(p.t, p.ch.Recover(true))
		p.see("%s", p.get(q).Body)
		_, ok, err := p.ch.Get(q, false)
		p.see("another %v, %v", ok, err)
	}, []string{"4", "another false, <nil>"}},
	{"a channel that closes gives back what it has", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		ch := channelOf(p.t, p.conn)
		receive(p.t, consume(p.t, ch, q, "", false))
		must(p.t, ch.Close())
		d := p.get(q)
		p.see("%s redelivered %v", d.Body, d.Redelivered)
	}, []string{"m redelivered true"}},
	{"prefetch per consumer", func(p *player) {
		q := p.queue("q", nil)
		must(p.t, p.ch.Qos(2, 0, false))
		deliveries := consume(p.t, p.ch, q, "", false)
		for _, body := range []string{"1", "2", "3", "4"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		first := receive(p.t, deliveries)
		p.see("%s %s", first.Body, receive(p.t, deliveries).Body)
		p.nothing(deliveries)
		must(p.t, first.Ack(false))
		p.see("%s", receive(p.t, deliveries).Body)
		p.nothing(deliveries)
	}, []string{"1 2", "nothing", "3", "nothing"}},
	{"prefetch of the channel", func(p *player) {
		q := p.queue("q", nil)
		must(p.t, p.ch.Qos(1, 0, true))
		a, b := consume(p.t, p.ch, q, "a", false), consume(p.t, p.ch, q, "b", false)
		for _, body := range []string{"1", "2", "3"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		first := receive(p.t, a)
		p.nothing(a)
		p.nothing(b)
		must(p.t, first.Ack(false))
		p.see("%s", receive(p.t, b).Body)
		p.nothing(a)
	}, []string{"nothing", "nothing", "2", "nothing"}},
	{"round robin", func(p *player) {
		q := p.queue("q", nil)
		a, b := consume(p.t, p.ch, q, "a", true), consume(p.t, p.ch, q, "b", true)
		for _, body := range []string{"1", "2", "3", "4"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		p.see("%v %v", receiveBodies(p.t, a, 2), receiveBodies(p.t, b, 2))
	}, []string{"[1 3] [2 4]"}},
	{"consumer priorities", func(p *player) {
		q := p.queue("q", nil)
		low := consume(p.t, p.ch, q, "low", true)
		high, err := p.ch.Consume(q, "high", true, false, false, false, table{"x-priority": int32(10)})
		must(p.t, err)
		for _, body := range []string{"1", "2"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		p.see("%v", receiveBodies(p.t, high, 2))
		p.nothing(low)
	}, []string{"[1 2]", "nothing"}},
	{"single active consumer", func(p *player) {
		q := p.queue("q", table{"x-single-active-consumer": true})
		a, b := consume(p.t, p.ch, q, "a", true), consume(p.t, p.ch, q, "b", true)
		p.publish("", q, amqp091.Publishing{Body: []byte("1")})
		p.publish("", q, amqp091.Publishing{Body: []byte("2")})
		p.see("%v", receiveBodies(p.t, a, 2))
		must(p.t, p.ch.Cancel("a", false))
		p.publish("", q, amqp091.Publishing{Body: []byte("3")})
		p.see("%v", receiveBodies(p.t, b, 1))
	}, []string{"[1 2]", "[3]"}},
	{"message priorities", func(p *player) {
		q := p.queue("q", table{"x-max-priority": int32(5)})
		for _, priority := range []uint8{0, 3, 9, 3, 5} {
			p.publish("", q, amqp091.Publishing{Priority: priority, Body: []byte(fmt.Sprint(priority))})
		}
		p.bodies("q", q)
	}, []string{"q: 9 5 3 3 0"}},
	{"exclusive consumers", func(p *player) {
		q := p.queue("q", nil)
		_, err := p.ch.Consume(q, "a", true, true, false, false, nil)
		p.did("first", err)
		_, err = p.ch.Consume(q, "b", true, false, false, false, nil)
		p.did("second", err)
	}, []string{
		"first: ok",
		"second: 403 ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use",
		"channel closed: 403 ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use",
	}},
	{"an exclusive consumer that comes late", func(p *player) {
		q := p.queue("q", nil)
		_, err := p.ch.Consume(q, "a", true, false, false, false, nil)
		p.did("first", err)
		_, err = p.ch.Consume(q, "b", true, true, false, false, nil)
		p.did("second", err)
	}, []string{
		"first: ok",
		"second: 403 ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use",
		"channel closed: 403 ACCESS_REFUSED - queue 'q' in vhost '/' in exclusive use",
	}},
	refusal("a consumer priority that is no number", "406 PRECONDITION_FAILED - invalid arg 'x-priority' for queue 'q' in vhost '/': \"expected integer, got longstr\"",
		func(p *player) error {
			_, err := p.ch.Consume(p.queue("q", nil), "", true, false, false, false, table{"x-priority": "high"})
			return err
		}),
	{"a consumer tag twice", func(p *player) {
		q := p.queue("q", nil)
		consume(p.t, p.ch, q, "same", true)
		_, err := p.ch.Consume(q, "same", true, false, false, false, nil)
		p.did("second", err)
	}, []string{
		"second: 530 NOT_ALLOWED - attempt to reuse consumer tag 'same'",
		"connection closed: 530 NOT_ALLOWED - attempt to reuse consumer tag 'same'",
	}},
	{"cancelling", func(p *player) {
		q := p.queue("q", nil)
		deliveries := consume(p.t, p.ch, q, "tag", false)
		p.publish("", q, amqp091.Publishing{Body: []byte("1")})
		d := receive(p.t, deliveries)
		must(p.t, p.ch.Cancel("tag", false))
		p.publish("", q, amqp091.Publishing{Body: []byte("2")})
		must(p.t, d.Ack(false)) // deliveries outlive their consumer
		p.bodies("q", q)
		p.did("unknown tag", p.ch.Cancel("unknown", false))
	}, []string{"q: 2", "unknown tag: ok"}},
	{"a consumer hears that its queue is deleted", func(p *player) {
		q := p.queue("q", nil)
		deliveries := consume(p.t, p.ch, q, "tag", false)
		cancelled := p.ch.NotifyCancel(make(chan string, 1))
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		d := receive(p.t, deliveries)
		_, err := p.ch.QueueDelete(q, false, false, false)
		must(p.t, err)
		p.see("cancelled %s", receive(p.t, cancelled))
		must(p.t, d.Ack(false)) // of a message that is no more
	}, []string{"cancelled tag"}},

	{"mandatory", func(p *player) {
		returns := p.ch.NotifyReturn(make(chan amqp091.Return, 1))
		confirms := p.ch.NotifyPublish(make(chan amqp091.Confirmation, 3))
		must(p.t, p.ch.Confirm(false))
		q := p.queue("q", nil)
		p.mandatory("", q, "arrives")
		p.mandatory("amq.direct", "nowhere", "returns")
		r := receive(p.t, returns)
		p.see("%d %s, exchange %q, key %q, type %q, body %q", r.ReplyCode, r.ReplyText, r.Exchange, r.RoutingKey, r.Type, r.Body)
		acks := map[uint64]bool{}
		for len(acks) < 2 {
			c := receive(p.t, confirms)
			acks[c.DeliveryTag] = c.Ack
		}
		p.see("%v", acks)
		p.bodies("q", q)
	}, []string{
		`312 NO_ROUTE, exchange "amq.direct", key "nowhere", type "t", body "returns"`,
		"map[1:true 2:true]",
		"q: arrives",
	}},
	{"immediate", func(p *player) {
		//amqpfix:ignore publish amqp091-go is the peer of this test
		must(p.t, p.ch.Publish("", "q", false, true, amqp091.Publishing{}))
	}, []string{"connection closed: 540 NOT_IMPLEMENTED - immediate=true"}},
	{"confirm twice, then transactions", func(p *player) {
		p.did("confirm", p.ch.Confirm(false))
		p.did("confirm", p.ch.Confirm(false))
		p.did("tx", p.ch.Tx())
	}, []string{
		"confirm: ok", "confirm: ok",
		"tx: 406 PRECONDITION_FAILED - cannot switch from confirm to tx mode",
		"channel closed: 406 PRECONDITION_FAILED - cannot switch from confirm to tx mode",
	}},
	{"transactions, then confirm", func(p *player) {
		p.did("tx", p.ch.Tx())
		p.did("confirm", p.ch.Confirm(false))
	}, []string{
		"tx: ok",
		"confirm: 406 PRECONDITION_FAILED - cannot switch from tx to confirm mode",
		"channel closed: 406 PRECONDITION_FAILED - cannot switch from tx to confirm mode",
	}},
	refusal("commit without a transaction", "406 PRECONDITION_FAILED - channel is not transactional",
		func(p *player) error { return p.ch.TxCommit() }),
	refusal("rollback without a transaction", "406 PRECONDITION_FAILED - channel is not transactional",
		func(p *player) error { return p.ch.TxRollback() }),
	{"a transaction", func(p *player) {
		q := p.queue("q", nil)
		watcher := channelOf(p.t, p.conn)
		must(p.t, p.ch.Tx())
		p.publish("", q, amqp091.Publishing{Body: []byte("undone")})
		must(p.t, p.ch.TxRollback())
		p.publish("", q, amqp091.Publishing{Body: []byte("1")})
		p.publish("", q, amqp091.Publishing{Body: []byte("2")})
		p.see("before the commit: %v", drain(p.t, watcher, q))
		must(p.t, p.ch.TxCommit())

		first, second := p.get(q), p.get(q)
		must(p.t, first.Ack(false))
		must(p.t, p.ch.TxRollback())
		must(p.t, first.Ack(false)) // it is not settled after all
		must(p.t, second.Nack(false, true))
		must(p.t, p.ch.TxCommit())
		p.see("after the second commit: %v", drain(p.t, watcher, q))
	}, []string{"before the commit: []", "after the second commit: [2]"}},
	{"what is not committed comes back", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		ch := channelOf(p.t, p.conn)
		must(p.t, ch.Tx())
		d := receive(p.t, consume(p.t, ch, q, "", false))
		must(p.t, d.Ack(false))
		must(p.t, ch.Close())
		d = p.get(q)
		p.see("%s redelivered %v", d.Body, d.Redelivered)
	}, []string{"m redelivered true"}},

	{"direct replies", func(p *player) {
		q := p.queue("requests", nil)
		replies := consume(p.t, p.ch, "amq.rabbitmq.reply-to", "", true)
		p.publish("", q, amqp091.Publishing{ReplyTo: "amq.rabbitmq.reply-to", CorrelationId: "7", Type: "t", Body: []byte("question")})

		server := channelOf(p.t, dial(p.t, p.url))
		request := p.get(q)
		p.see("reply to %s, id %s, type %s", request.ReplyTo, request.CorrelationId, request.Type)
		publishMessage(p.t, server, "", request.ReplyTo, amqp091.Publishing{CorrelationId: request.CorrelationId, Body: []byte("answer")})
		reply := receive(p.t, replies)
		p.see("%s, id %s, exchange %q, key %s", reply.Body, reply.CorrelationId, reply.Exchange, reply.RoutingKey)
	}, []string{
		"reply to amq.rabbitmq.reply-to.*, id 7, type t",
		`answer, id 7, exchange "", key amq.rabbitmq.reply-to.*`,
	}},
	{"a reply that nobody waits for", func(p *player) {
		returns := p.ch.NotifyReturn(make(chan amqp091.Return, 1))
		p.mandatory("", "amq.rabbitmq.reply-to.gone", "late")
		p.see("%s", receive(p.t, returns).ReplyText)
	}, []string{"NO_ROUTE"}},
	refusal("a reply consumer that wants to acknowledge", "406 PRECONDITION_FAILED - reply consumer cannot acknowledge",
		func(p *player) error {
			_, err := p.ch.Consume("amq.rabbitmq.reply-to", "", false, false, false, false, nil)
			return err
		}),
	refusal("a second reply consumer", "406 PRECONDITION_FAILED - reply consumer already set",
		func(p *player) error {
			consume(p.t, p.ch, "amq.rabbitmq.reply-to", "", true)
			_, err := p.ch.Consume("amq.rabbitmq.reply-to", "", true, false, false, false, nil)
			return err
		}),
	asyncRefusal("asking for a direct reply without waiting for it", "406 PRECONDITION_FAILED - fast reply consumer does not exist",
		func(p *player) { p.publish("", "q", amqp091.Publishing{ReplyTo: "amq.rabbitmq.reply-to"}) }),
	refusal("looking for a reply consumer that is gone", "404 NOT_FOUND - no queue 'amq.rabbitmq.reply-to.gone' in vhost '/'",
		func(p *player) error {
			_, err := p.ch.QueueDeclarePassive("amq.rabbitmq.reply-to.gone", false, false, false, false, nil)
			return err
		}),
	{"the pseudo-queue of direct replies", func(p *player) {
		q, err := p.ch.QueueDeclarePassive("amq.rabbitmq.reply-to", false, false, false, false, nil)
		p.see("%+v %v", q, err)
	}, []string{"{Name:amq.rabbitmq.reply-to Messages:0 Consumers:1} <nil>"}},
}

// asyncRefusal is something without an answer that ends the channel.
func asyncRefusal(name, text string, do func(*player)) scenario {
	return scenario{name, do, []string{"channel closed: " + text}}
}

// mandatory publishes with the mandatory bit.
func (p *player) mandatory(exchange, key, body string) {
	p.t.Helper()
	//amqpfix:ignore publish amqp091-go is the peer of this test
	must(p.t, p.ch.Publish(exchange, key, true, false, amqp091.Publishing{Type: "t", Body: []byte(body)}))
}

// nothing writes down whether nothing comes for a little while.
func (p *player) nothing(deliveries <-chan amqp091.Delivery) {
	select {
	case d := <-deliveries:
		p.see("unexpected %s", d.Body)
	case <-time.After(30 * time.Millisecond):
		p.see("nothing")
	}
}
