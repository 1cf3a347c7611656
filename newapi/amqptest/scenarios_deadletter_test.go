package amqptest_test

import (
	"fmt"
	"strings"
	"time"

	amqp091 "github.com/rabbitmq/amqp091-go"
)

var deadLetterScenarios = []scenario{
	{"rejected messages are dead-lettered", func(p *player) {
		dead := p.queue("dead", nil)
		q := p.queue("q", table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead})
		p.publish("", q, amqp091.Publishing{
			ContentType: "text/plain", Expiration: "100000", Headers: table{"k": "v"}, Body: []byte("m"),
		})
		must(p.t, p.get(q).Reject(false))
		d := p.get(dead)
		p.see("%s, type %s, expiration %q, exchange %q, key %s, redelivered %v", d.Body, d.ContentType, d.Expiration, d.Exchange, d.RoutingKey, d.Redelivered)
		p.headers(d)
	}, []string{
		`m, type text/plain, expiration "", exchange "", key dead, redelivered false`,
		"k: v",
		"x-death: rejected in q, 1 times, by exchange '' keys [q], expiration 100000",
		"x-first-death: rejected in q by exchange ''",
	}},
	{"nacked messages keep their key without another", func(p *player) {
		x := p.exchange("x", "topic", nil)
		dead := p.queue("dead", nil)
		p.bind(dead, "#", x, nil)
		q := p.queue("q", table{"x-dead-letter-exchange": x})
		p.sendKeys("", q, q)
		p.get(q)
		must(p.t, p.get(q).Nack(true, false))
		for i := 0; i < 2; i++ {
			d := p.get(dead)
			p.see("exchange %s, key %s", d.Exchange, d.RoutingKey)
			p.headers(d)
		}
	}, []string{
		"exchange x, key q", "x-death: rejected in q, 1 times, by exchange '' keys [q]", "x-first-death: rejected in q by exchange ''",
		"exchange x, key q", "x-death: rejected in q, 1 times, by exchange '' keys [q]", "x-first-death: rejected in q by exchange ''",
	}},
	{"a retry queue", func(p *player) {
		work := p.name("work")
		p.queue("retry", table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": work, "x-message-ttl": int32(20)})
		p.queue("work", table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": p.name("retry")})
		p.publish("", work, amqp091.Publishing{Headers: table{"n": int32(1)}, Body: []byte("m")})
		for i := 0; i < 2; i++ {
			must(p.t, p.get(work).Reject(false))
		}
		d := p.get(work)
		p.see("%s", d.Body)
		p.headers(d)
	}, []string{
		"m",
		"n: 1",
		"x-death: expired in retry, 2 times, by exchange '' keys [retry]",
		"x-death: rejected in work, 2 times, by exchange '' keys [work]",
		"x-first-death: rejected in work by exchange ''",
	}},
	{"messages expire by the shorter of both times", func(p *player) {
		dead := p.queue("dead", nil)
		q := p.queue("q", table{"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead, "x-message-ttl": int32(60000)})
		p.publish("", q, amqp091.Publishing{Expiration: "10", Body: []byte("short")})
		p.publish("", q, amqp091.Publishing{Body: []byte("long")})
		d := p.get(dead)
		p.see("%s", d.Body)
		p.headers(d)
		p.bodies("left", q)
	}, []string{
		"short",
		"x-death: expired in q, 1 times, by exchange '' keys [q], expiration 10",
		"x-first-death: expired in q by exchange ''",
		"left: long",
	}},
	{"a message without time reaches a consumer that waits, and nobody else", func(p *player) {
		waited, idle := p.queue("waited", nil), p.queue("idle", nil)
		deliveries := consume(p.t, p.ch, waited, "", true)
		for _, q := range []string{idle, waited} {
			p.publish("", q, amqp091.Publishing{Expiration: "0", Body: []byte("m")})
		}
		p.see("%s", receive(p.t, deliveries).Body)
		p.bodies("idle", idle)
	}, []string{"m", "idle: "}},
	{"a message that goes round in a circle is dropped", func(p *player) {
		q := p.queue("q", table{"x-dead-letter-exchange": "", "x-message-ttl": int32(5)})
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		time.Sleep(100 * time.Millisecond)
		p.bodies("q", q)
	}, []string{"q: "}},
	{"a full queue drops its head", func(p *player) {
		dead := p.queue("dead", nil)
		q := p.queue("q", table{"x-max-length": int32(2), "x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead})
		for _, body := range []string{"1", "2", "3"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		d := p.get(dead)
		p.see("%s", d.Body)
		p.headers(d)
		p.bodies("left", q)
	}, []string{
		"1",
		"x-death: maxlen in q, 1 times, by exchange '' keys [q]",
		"x-first-death: maxlen in q by exchange ''",
		"left: 2 3",
	}},
	{"a queue full of octets drops its head", func(p *player) {
		q := p.queue("q", table{"x-max-length-bytes": int32(5)})
		for _, body := range []string{"aaa", "bb", "c"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		p.bodies("left", q)
	}, []string{"left: bb c"}},
	{"a full queue refuses", func(p *player) {
		q := p.queue("q", table{"x-max-length": int32(1), "x-overflow": "reject-publish"})
		confirms := p.ch.NotifyPublish(make(chan amqp091.Confirmation, 2))
		must(p.t, p.ch.Confirm(false))
		for _, body := range []string{"1", "2"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
			c := receive(p.t, confirms)
			p.see("%d %v", c.DeliveryTag, c.Ack)
		}
		p.bodies("left", q)
	}, []string{"1 true", "2 false", "left: 1"}},
	{"a full queue refuses and dead-letters", func(p *player) {
		dead := p.queue("dead", nil)
		q := p.queue("q", table{
			"x-max-length": int32(1), "x-overflow": "reject-publish-dlx",
			"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead,
		})
		for _, body := range []string{"1", "2"} {
			p.publish("", q, amqp091.Publishing{Body: []byte(body)})
		}
		d := p.get(dead)
		p.see("%s", d.Body)
		p.headers(d)
		p.bodies("left", q)
	}, []string{
		"2",
		"x-death: maxlen in q, 1 times, by exchange '' keys [q]",
		"x-first-death: maxlen in q by exchange ''",
		"left: 1",
	}},
	{"dead letters with no exchange to go to are dropped", func(p *player) {
		q := p.queue("q", table{"x-dead-letter-exchange": p.name("missing")})
		p.publish("", q, amqp091.Publishing{Body: []byte("m")})
		must(p.t, p.get(q).Reject(false))
		p.bodies("left", q)
	}, []string{"left: "}},
	{"a message whose time ends with a client does not come back", func(p *player) {
		q := p.queue("q", nil)
		p.publish("", q, amqp091.Publishing{Expiration: "20", Body: []byte("m")})
		p.publish("", q, amqp091.Publishing{Body: []byte("next")})
		d := p.get(q)
		time.Sleep(40 * time.Millisecond)
		must(p.t, d.Reject(true))
		p.bodies("left", q)
	}, []string{"left: next"}},
	{"an unused queue expires", func(p *player) {
		q := p.queue("q", table{"x-expires": int32(50)})
		deadline := time.Now().Add(patience)
		for {
			ch := channelOf(p.t, p.conn)
			_, err := ch.QueueDelete(q, false, true, false) // asking for it would count as use
			must(p.t, err)
			p.queue("q", table{"x-expires": int32(50)})
			p.publish("", q, amqp091.Publishing{Body: []byte("m")})
			time.Sleep(100 * time.Millisecond)
			n, err := ch.QueueDelete(q, false, false, false)
			must(p.t, err)
			if n == 0 {
				break
			}
			if time.Now().After(deadline) {
				p.t.Fatal("the queue never expired")
			}
		}
		p.see("gone")
	}, []string{"gone"}},
}

// headers writes down the headers of a delivery, those of its deaths in words.
func (p *player) headers(d amqp091.Delivery) {
	if v, ok := d.Headers["k"]; ok {
		p.see("k: %v", v)
	}
	if v, ok := d.Headers["n"]; ok {
		p.see("n: %v", v)
	}
	deaths, _ := d.Headers["x-death"].([]any)
	for _, death := range deaths {
		t, _ := death.(table)
		var more []string
		if e, ok := t["original-expiration"]; ok {
			more = append(more, fmt.Sprintf(", expiration %v", e))
		}
		if when, ok := t["time"].(time.Time); !ok || time.Since(when) > time.Minute || time.Until(when) > time.Minute {
			more = append(more, fmt.Sprintf(", at the wrong time %v", t["time"]))
		}
		if _, ok := t["count"].(int64); !ok {
			more = append(more, fmt.Sprintf(", count is a %T", t["count"]))
		}
		p.see("x-death: %v in %v, %v times, by exchange '%v' keys %v%s",
			t["reason"], t["queue"], t["count"], t["exchange"], t["routing-keys"], strings.Join(more, ""))
	}
	if reason, ok := d.Headers["x-first-death-reason"]; ok {
		p.see("x-first-death: %v in %v by exchange '%v'", reason, d.Headers["x-first-death-queue"], d.Headers["x-first-death-exchange"])
	}
}
