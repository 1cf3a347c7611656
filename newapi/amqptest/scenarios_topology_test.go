package amqptest_test

import (
	"fmt"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

var topologyScenarios = []scenario{
	{"passive declaration of a missing queue", func(p *player) {
		_, err := p.ch.QueueDeclarePassive("nope", false, false, false, false, nil)
		p.did("declare", err)
	}, []string{
		"declare: 404 NOT_FOUND - no queue 'nope' in vhost '/'",
		"channel closed: 404 NOT_FOUND - no queue 'nope' in vhost '/'",
	}},
	{"passive declaration of a missing exchange", func(p *player) {
		p.did("declare", p.ch.ExchangeDeclarePassive("nope", "direct", false, false, false, false, nil))
	}, []string{
		"declare: 404 NOT_FOUND - no exchange 'nope' in vhost '/'",
		"channel closed: 404 NOT_FOUND - no exchange 'nope' in vhost '/'",
	}},
	{"passive declaration of what is there", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{})
		consume(p.t, p.ch, p.queue("idle", nil), "", true)
		state, err := p.ch.QueueDeclarePassive(q, true, true, false, false, table{"x-max-length": 1})
		p.see("%d messages, %d consumers, %v", state.Messages, state.Consumers, err)
		state, err = p.ch.QueueDeclarePassive(p.name("idle"), false, false, false, false, nil)
		p.see("%d messages, %d consumers, %v", state.Messages, state.Consumers, err)
		p.did("exchange", p.ch.ExchangeDeclarePassive("amq.topic", "fanout", false, false, false, false, nil))
	}, []string{
		"1 messages, 0 consumers, <nil>",
		"0 messages, 1 consumers, <nil>",
		"exchange: ok",
	}},
	{"names that the broker makes, and the empty name", func(p *player) {
		q, err := p.ch.QueueDeclare("", false, false, true, false, nil)
		p.see("%s %v", q.Name, err)
		p.did("bind", p.ch.QueueBind("", "", "amq.direct", false, nil))
		p.publish("amq.direct", q.Name, amqp091.Publishing{Body: []byte("m")})
		d, ok, err := p.ch.Get("", true)
		p.see("%s %v %v", d.Body, ok, err)
		p.did("unbind", p.ch.QueueUnbind("", "", "amq.direct", nil))
	}, []string{"amq.gen-* <nil>", "bind: ok", "m true <nil>", "unbind: ok"}},
	{"the empty name before any declaration", func(p *player) {
		_, _, err := p.ch.Get("", true)
		p.did("get", err)
	}, []string{
		"get: 404 NOT_FOUND - no previously declared queue",
		"channel closed: 404 NOT_FOUND - no previously declared queue",
	}},
	{"deleting what is not there", func(p *player) {
		n, err := p.ch.QueueDelete("nope", false, false, false)
		p.see("queue: %d %v", n, err)
		p.did("exchange", p.ch.ExchangeDelete("nope", false, false))
		p.did("unbind queue", p.ch.QueueUnbind("nope", "k", "amq.direct", nil))
		p.did("unbind exchange", p.ch.ExchangeUnbind("amq.direct", "k", "amq.fanout", false, nil))
	}, []string{"queue: 0 <nil>", "exchange: ok", "unbind queue: ok", "unbind exchange: ok"}},
	refusal("purging a missing queue", "404 NOT_FOUND - no queue 'nope' in vhost '/'", func(p *player) error {
		_, err := p.ch.QueuePurge("nope", false)
		return err
	}),
	refusal("consuming from a missing queue", "404 NOT_FOUND - no queue 'nope' in vhost '/'", func(p *player) error {
		_, err := p.ch.Consume("nope", "", true, false, false, false, nil)
		return err
	}),
	refusal("binding a missing queue", "404 NOT_FOUND - no queue 'nope' in vhost '/'", func(p *player) error {
		return p.ch.QueueBind("nope", "k", "amq.direct", false, nil)
	}),
	refusal("binding to a missing exchange", "404 NOT_FOUND - no exchange 'nope' in vhost '/'", func(p *player) error {
		return p.ch.QueueBind(p.queue("q", nil), "k", "nope", false, nil)
	}),
	refusal("binding a missing exchange", "404 NOT_FOUND - no exchange 'nope' in vhost '/'", func(p *player) error {
		return p.ch.ExchangeBind("nope", "k", "amq.direct", false, nil)
	}),
	refusal("binding to the default exchange", "403 ACCESS_REFUSED - operation not permitted on the default exchange", func(p *player) error {
		return p.ch.QueueBind(p.queue("q", nil), "k", "", false, nil)
	}),
	refusal("unbinding from the default exchange", "403 ACCESS_REFUSED - operation not permitted on the default exchange", func(p *player) error {
		return p.ch.QueueUnbind(p.queue("q", nil), "k", "", nil)
	}),
	refusal("binding the default exchange to another", "403 ACCESS_REFUSED - operation not permitted on the default exchange", func(p *player) error {
		return p.ch.ExchangeBind("", "k", "amq.direct", false, nil)
	}),
	refusal("declaring the default exchange", "403 ACCESS_REFUSED - operation not permitted on the default exchange", func(p *player) error {
		return p.ch.ExchangeDeclare("", "direct", true, false, false, false, nil)
	}),
	refusal("deleting the default exchange", "403 ACCESS_REFUSED - operation not permitted on the default exchange", func(p *player) error {
		return p.ch.ExchangeDelete("", false, false)
	}),
	refusal("deleting an exchange of the broker's", "403 ACCESS_REFUSED - deletion of system exchange 'amq.direct' in vhost '/' not allowed", func(p *player) error {
		return p.ch.ExchangeDelete("amq.direct", false, false)
	}),
	refusal("declaring an exchange with a reserved name", "403 ACCESS_REFUSED - exchange name 'amq.mine' contains reserved prefix 'amq.*'", func(p *player) error {
		return p.ch.ExchangeDeclare("amq.mine", "direct", true, false, false, false, nil)
	}),
	refusal("declaring a queue with a reserved name", "403 ACCESS_REFUSED - queue name 'amq.mine' contains reserved prefix 'amq.*'", func(p *player) error {
		_, err := p.ch.QueueDeclare("amq.mine", false, false, true, false, nil)
		return err
	}),
	{"declaring again what is there", func(p *player) {
		p.did("broker's exchange", p.ch.ExchangeDeclare("amq.direct", "direct", true, false, false, false, nil))
		x := p.exchange("x", "topic", nil)
		p.did("exchange", p.ch.ExchangeDeclare(x, "topic", false, true, false, false, table{"x-other": "ignored"}))
		p.queue("q", table{"x-message-ttl": int32(5000), "x-other": "a"})
		_, err := p.ch.QueueDeclare(p.name("q"), false, false, true, false, table{"x-message-ttl": int64(5000), "x-other": "b"})
		p.did("queue", err)
		p.queue("typed", table{"x-queue-type": "classic"})
		_, err = p.ch.QueueDeclare(p.name("typed"), false, false, true, false, nil)
		p.did("type by default", err)
	}, []string{"broker's exchange: ok", "exchange: ok", "queue: ok", "type by default: ok"}},
	{"an exchange of an unknown type", func(p *player) {
		p.did("declare", p.ch.ExchangeDeclare(p.name("x"), "round", false, true, false, false, nil))
	}, []string{
		"declare: 503 COMMAND_INVALID - invalid exchange type 'round'",
		"connection closed: 503 COMMAND_INVALID - invalid exchange type 'round'",
	}},

	inequivalentExchange("type", "fanout", false, true, false, nil, "received 'fanout' but current is 'direct'"),
	inequivalentExchange("durable", "direct", true, true, false, nil, "received 'true' but current is 'false'"),
	inequivalentExchange("auto_delete", "direct", false, false, false, nil, "received 'false' but current is 'true'"),
	inequivalentExchange("internal", "direct", false, true, true, nil, "received 'true' but current is 'false'"),
	inequivalentExchange("alternate-exchange", "direct", false, true, false, table{"alternate-exchange": "y"},
		"received the value 'y' of type 'longstr' but current is none"),
	refusal("a queue with another durable",
		"406 PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q' in vhost '/': received 'true' but current is 'false'",
		func(p *player) error {
			q, err := p.ch.QueueDeclare(p.name("q"), false, false, false, false, nil)
			must(p.t, err)
			other := channelOf(p.t, p.conn)
			_, err = p.ch.QueueDeclare(q.Name, true, false, false, false, nil)
			_, deleteErr := other.QueueDelete(q.Name, false, false, false)
			must(p.t, deleteErr)
			return err
		}),
	{"an exclusive queue is never durable", func(p *player) {
		p.queue("q", nil)
		_, err := p.ch.QueueDeclare(p.name("q"), true, false, true, false, nil)
		p.did("declare", err)
	}, []string{"declare: ok"}},
	inequivalentQueue("auto_delete", nil, true, nil, "received 'true' but current is 'false'"),
	inequivalentQueue("x-message-ttl", nil, false, table{"x-message-ttl": int32(5)},
		"received the value '5' of type 'signedint' but current is none"),
	inequivalentQueue("x-message-ttl", table{"x-message-ttl": int64(5)}, false, nil,
		"received none but current is the value '5' of type 'long'"),
	inequivalentQueue("x-message-ttl", table{"x-message-ttl": int64(5)}, false, table{"x-message-ttl": int32(6)},
		"received '6' but current is '5'"),
	inequivalentQueue("x-dead-letter-exchange", nil, false, table{"x-dead-letter-exchange": "x"},
		"received the value 'x' of type 'longstr' but current is none"),

	invalidArguments(table{"x-message-ttl": int32(-5)}, "invalid arg 'x-message-ttl' for queue 'q' in vhost '/': {value_negative,-5}"),
	invalidArguments(table{"x-message-ttl": "soon"}, "invalid arg 'x-message-ttl' for queue 'q' in vhost '/': \"expected integer, got longstr\""),
	invalidArguments(table{"x-message-ttl": int64(1 << 40)}, "invalid arg 'x-message-ttl' for queue 'q' in vhost '/': {value_too_large,1099511627776}"),
	invalidArguments(table{"x-expires": int32(0)}, "invalid arg 'x-expires' for queue 'q' in vhost '/': {value_zero,0}"),
	invalidArguments(table{"x-max-length": int32(-1)}, "invalid arg 'x-max-length' for queue 'q' in vhost '/': {value_negative,-1}"),
	invalidArguments(table{"x-overflow": "explode"}, "invalid arg 'x-overflow' for queue 'q' in vhost '/': invalid_overflow"),
	invalidArguments(table{"x-max-priority": int32(256)}, "invalid arg 'x-max-priority' for queue 'q' in vhost '/': {max_value_exceeded,256}"),
	invalidArguments(table{"x-dead-letter-exchange": int32(3)}, "invalid type 'signedint' for arg 'x-dead-letter-exchange' in queue 'q' in vhost '/'"),
	invalidArguments(table{"x-dead-letter-routing-key": "k"}, "invalid arg 'x-dead-letter-routing-key' for queue 'q' in vhost '/': routing_key_but_no_dlx_defined"),
	invalidArguments(table{"x-queue-type": "pile"}, "invalid arg 'x-queue-type' for queue 'q' in vhost '/': \"unsupported queue type 'pile'\""),

	{"an alternate exchange that is no name", func(p *player) {
		p.did("declare", p.ch.ExchangeDeclare(p.name("x"), "direct", false, true, false, false, table{"alternate-exchange": int32(3)}))
	}, []string{
		"declare: 406 PRECONDITION_FAILED - invalid type 'signedint' for arg 'alternate-exchange' in exchange 'x' in vhost '/'",
		"channel closed: 406 PRECONDITION_FAILED - invalid type 'signedint' for arg 'alternate-exchange' in exchange 'x' in vhost '/'",
	}},
	{"another connection's exclusive queue", func(p *player) {
		q := p.queue("q", nil)
		other := dial(p.t, p.url)
		for _, try := range []struct {
			what string
			do   func(ch *amqp091.Channel) error
		}{
			{"declare", func(ch *amqp091.Channel) error {
				_, err := ch.QueueDeclare(q, false, false, true, false, nil)
				return err
			}},
			{"passive", func(ch *amqp091.Channel) error {
				_, err := ch.QueueDeclarePassive(q, false, false, false, false, nil)
				return err
			}},
			{"get", func(ch *amqp091.Channel) error { _, _, err := ch.Get(q, true); return err }},
			{"purge", func(ch *amqp091.Channel) error { _, err := ch.QueuePurge(q, false); return err }},
			{"delete", func(ch *amqp091.Channel) error { _, err := ch.QueueDelete(q, false, false, false); return err }},
			{"bind", func(ch *amqp091.Channel) error { return ch.QueueBind(q, "k", "amq.direct", false, nil) }},
		} {
			p.did(try.what, try.do(channelOf(p.t, other)))
		}
		other.Close()
	}, []string{
		"declare: " + lockedText, "passive: " + lockedText, "get: " + lockedText,
		"purge: " + lockedText, "delete: " + lockedText, "bind: " + lockedText,
	}},
	{"an exclusive queue goes with its connection", func(p *player) {
		other := dial(p.t, p.url)
		_, err := channelOf(p.t, other).QueueDeclare(p.name("q"), true, false, true, false, nil)
		p.did("declare", err)
		must(p.t, other.Close())
		_, err = p.ch.QueueDeclare(p.name("q"), false, true, false, false, nil)
		p.did("declare another of that name", err)
		_, err = p.ch.QueueDelete(p.name("q"), false, false, false)
		p.did("delete", err)
	}, []string{"declare: ok", "declare another of that name: ok", "delete: ok"}},
	{"deleting with conditions", func(p *player) {
		q := p.queue("q", nil)
		x := p.exchange("x", "direct", nil)
		p.bind(q, "k", x, nil)
		p.publish("", q, amqp091.Publishing{})
		try := func(what string, do func(ch *amqp091.Channel) error) {
			ch := channelOf(p.t, p.conn)
			p.did(what, do(ch))
			ch.Close()
		}
		try("exchange if unused", func(ch *amqp091.Channel) error { return ch.ExchangeDelete(x, true, false) })
		try("queue if empty", func(ch *amqp091.Channel) error { _, err := ch.QueueDelete(q, false, true, false); return err })
		consume(p.t, p.ch, q, "", false)
		try("queue if unused", func(ch *amqp091.Channel) error { _, err := ch.QueueDelete(q, true, false, false); return err })
	}, []string{
		"exchange if unused: 406 PRECONDITION_FAILED - exchange 'x' in vhost '/' in use",
		"queue if empty: 406 PRECONDITION_FAILED - queue 'q' in vhost '/' not empty",
		"queue if unused: 406 PRECONDITION_FAILED - queue 'q' in vhost '/' in use",
	}},
	{"deleting and purging count messages", func(p *player) {
		q := p.queue("q", nil)
		for i := 0; i < 5; i++ {
			p.publish("", q, amqp091.Publishing{})
		}
		n, err := p.ch.QueuePurge(q, false)
		p.see("purged %d, %v", n, err)
		p.publish("", q, amqp091.Publishing{})
		n, err = p.ch.QueueDelete(q, false, false, false)
		p.see("deleted %d, %v", n, err)
	}, []string{"purged 5, <nil>", "deleted 1, <nil>"}},
	{"an auto-delete exchange goes with its last binding", func(p *player) {
		x := p.exchange("x", "direct", nil)
		q := p.queue("q", nil)
		p.bind(q, "a", x, nil)
		p.bind(q, "b", x, nil)
		must(p.t, p.ch.QueueUnbind(q, "a", x, nil))
		p.did("after the first", p.ch.ExchangeDeclarePassive(x, "direct", false, true, false, false, nil))
		_, err := p.ch.QueueDelete(q, false, false, false)
		must(p.t, err)
		p.did("after the last", p.ch.ExchangeDeclarePassive(x, "direct", false, true, false, false, nil))
	}, []string{
		"after the first: ok",
		"after the last: 404 NOT_FOUND - no exchange 'x' in vhost '/'",
		"channel closed: 404 NOT_FOUND - no exchange 'x' in vhost '/'",
	}},
	{"an auto-delete queue goes with its last consumer", func(p *player) {
		q, err := p.ch.QueueDeclare(p.name("q"), false, true, false, false, nil)
		must(p.t, err)
		consume(p.t, p.ch, q.Name, "a", true)
		consume(p.t, p.ch, q.Name, "b", true)
		must(p.t, p.ch.Cancel("a", false))
		_, err = p.ch.QueueDeclarePassive(q.Name, false, true, false, false, nil)
		p.did("after the first", err)
		must(p.t, p.ch.Cancel("b", false))
		_, err = p.ch.QueueDeclarePassive(q.Name, false, true, false, false, nil)
		p.did("after the last", err)
	}, []string{
		"after the first: ok",
		"after the last: 404 NOT_FOUND - no queue 'q' in vhost '/'",
		"channel closed: 404 NOT_FOUND - no queue 'q' in vhost '/'",
	}},
}

const lockedText = "405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'q' in vhost '/'. " +
	"It could be originally declared on another connection or the exclusive property value does not match that of the original declaration."

// refusal is a single request that ends the channel.
func refusal(name, text string, do func(*player) error) scenario {
	return scenario{name, func(p *player) { p.did("request", do(p)) }, []string{"request: " + text, "channel closed: " + text}}
}

func inequivalentExchange(what, kind string, durable, autoDelete, internal bool, arguments table, text string) scenario {
	return refusal("an exchange with another "+what,
		fmt.Sprintf("406 PRECONDITION_FAILED - inequivalent arg '%s' for exchange 'x' in vhost '/': %s", what, text),
		func(p *player) error {
			x := p.exchange("x", "direct", nil)
			return p.ch.ExchangeDeclare(x, kind, durable, autoDelete, internal, false, arguments)
		})
}

func inequivalentQueue(what string, current table, autoDelete bool, received table, text string) scenario {
	return refusal(fmt.Sprintf("a queue with another %s: %s", what, text),
		fmt.Sprintf("406 PRECONDITION_FAILED - inequivalent arg '%s' for queue 'q' in vhost '/': %s", what, text),
		func(p *player) error {
			p.queue("q", current)
			_, err := p.ch.QueueDeclare(p.name("q"), false, autoDelete, true, false, received)
			return err
		})
}

func invalidArguments(arguments table, text string) scenario {
	return refusal(fmt.Sprintf("a queue with arguments %v", arguments), "406 PRECONDITION_FAILED - "+text,
		func(p *player) error {
			_, err := p.ch.QueueDeclare(p.name("q"), false, false, true, false, arguments)
			return err
		})
}
