package amqptest_test

import (
	"fmt"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

var routingScenarios = []scenario{
	{"direct", func(p *player) {
		x := p.exchange("x", "direct", nil)
		a, b := p.queue("a", nil), p.queue("b", nil)
		p.bind(a, "red", x, nil)
		p.bind(a, "red", x, nil) // the same binding twice is one
		p.bind(a, "blue", x, nil)
		p.bind(b, "red", x, nil)
		p.sendKeys(x, "red", "blue", "green")
		p.bodies("a", a)
		p.bodies("b", b)
	}, []string{"a: red blue", "b: red"}},
	{"fanout", func(p *player) {
		x := p.exchange("x", "fanout", nil)
		a, b := p.queue("a", nil), p.queue("b", nil)
		p.bind(a, "k", x, nil)
		p.bind(b, "", x, nil)
		p.sendKeys(x, "k", "other")
		must(p.t, p.ch.QueueUnbind(b, "", x, nil))
		p.sendKeys(x, "late")
		p.bodies("a", a)
		p.bodies("b", b)
	}, []string{"a: k other late", "b: k other"}},
	{"topic", func(p *player) {
		x := p.exchange("x", "topic", nil)
		patterns := []string{"#", "*", "a.*", "a.#", "#.c", "a.*.c", "*.b.#", "a..c", "#.#", "", "a.b.c"}
		keys := []string{"", "a", "a.b", "a.b.c", "a..c", "b.b", "c", "a.b.c.d"}
		for i, pattern := range patterns {
			q := p.queue(fmt.Sprint("q", i), nil)
			p.bind(q, pattern, x, nil)
		}
		for _, key := range keys {
			p.publish(x, key, amqp091.Publishing{Body: []byte("'" + key + "'")})
		}
		for i, pattern := range patterns {
			p.bodies("'"+pattern+"'", p.name(fmt.Sprint("q", i)))
		}
	}, []string{
		"'#': '' 'a' 'a.b' 'a.b.c' 'a..c' 'b.b' 'c' 'a.b.c.d'",
		"'*': 'a' 'c'",
		"'a.*': 'a.b'",
		"'a.#': 'a' 'a.b' 'a.b.c' 'a..c' 'a.b.c.d'",
		"'#.c': 'a.b.c' 'a..c' 'c'",
		"'a.*.c': 'a.b.c' 'a..c'",
		"'*.b.#': 'a.b' 'a.b.c' 'b.b' 'a.b.c.d'",
		"'a..c': 'a..c'",
		"'#.#': '' 'a' 'a.b' 'a.b.c' 'a..c' 'b.b' 'c' 'a.b.c.d'",
		"'': ''",
		"'a.b.c': 'a.b.c'",
	}},
	{"headers", func(p *player) {
		x := p.exchange("x", "headers", nil)
		for _, try := range []table{
			{},
			{"x-match": "any"},
			{"n": int32(1)},
			{"n": int64(1)},
			{"n": float64(1)},
			{"n": "1"},
			{"n": nil},
			{"n": int32(1), "s": "other"},
			{"x-match": "any", "n": int32(1), "s": "other"},
			{"x-match": "any", "n": int32(2), "s": "other"},
			{"x-match": "all", "x-absent": "ignored"},
			{"x-match": "all-with-x", "x-absent": "wanted"},
			{"x-match": "any-with-x", "x-present": "here"},
		} {
			q := p.queue("q", nil)
			p.bind(q, "", x, try)
			p.publish(x, "", amqp091.Publishing{
				Body:    []byte("taken"),
				Headers: table{"n": int32(1), "s": "text", "x-present": "here"},
			})
			p.bodies(fmt.Sprint(try), q)
			_, err := p.ch.QueueDelete(q, false, false, false)
			must(p.t, err)
			x = p.exchange("x", "headers", nil)
		}
	}, []string{
		"map[]: taken",
		"map[x-match:any]: ",
		"map[n:1]: taken",
		"map[n:1]: taken",
		"map[n:1]: taken",
		"map[n:1]: ",
		"map[n:<nil>]: taken",
		"map[n:1 s:other]: ",
		"map[n:1 s:other x-match:any]: taken",
		"map[n:2 s:other x-match:any]: ",
		"map[x-absent:ignored x-match:all]: taken",
		"map[x-absent:wanted x-match:all-with-x]: ",
		"map[x-match:any-with-x x-present:here]: taken",
	}},
	refusal("a headers binding with an unknown x-match",
		`406 PRECONDITION_FAILED - Invalid x-match field value <<"some">>; expected all, any, all-with-x, or any-with-x`,
		func(p *player) error {
			return p.ch.QueueBind(p.queue("q", nil), "", "amq.headers", false, table{"x-match": "some"})
		}),
	refusal("a headers binding with an x-match that is no string",
		"406 PRECONDITION_FAILED - Invalid x-match field type signedint (value 3); expected longstr",
		func(p *player) error {
			return p.ch.QueueBind(p.queue("q", nil), "", "amq.headers", false, table{"x-match": int32(3)})
		}),
	{"exchange to exchange, in a circle", func(p *player) {
		a, b := p.exchange("a", "direct", nil), p.exchange("b", "topic", nil)
		q := p.queue("q", nil)
		must(p.t, p.ch.ExchangeBind(b, "k", a, false, nil))
		must(p.t, p.ch.ExchangeBind(a, "#", b, false, nil))
		p.bind(q, "k", b, nil)
		p.bind(q, "k", a, nil)
		p.sendKeys(a, "k", "other")
		p.sendKeys(b, "k")
		p.bodies("q", q)
		must(p.t, p.ch.ExchangeUnbind(b, "k", a, false, nil))
		must(p.t, p.ch.QueueUnbind(q, "k", a, nil))
	}, []string{"q: k k"}},
	{"alternate exchange", func(p *player) {
		fallback := p.exchange("fallback", "fanout", nil)
		x := p.exchange("x", "direct", table{"alternate-exchange": fallback})
		q, rest := p.queue("q", nil), p.queue("rest", nil)
		p.bind(q, "k", x, nil)
		p.bind(rest, "", fallback, nil)
		p.sendKeys(x, "k", "other")
		p.bodies("q", q)
		p.bodies("rest", rest)
	}, []string{"q: k", "rest: other"}},
	{"the default exchange knows every queue by name", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		p.publish("", "nowhere", amqp091.Publishing{Body: []byte("dropped")})
		p.bodies("q", q)
	}, []string{"q: m"}},
}

// sendKeys publishes one message to each routing key, with the key as body.
func (p *player) sendKeys(exchange string, keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.publish(exchange, key, amqp091.Publishing{Body: []byte(key)})
	}
}
