package amqptest

import (
	"time"

	"github.com/amqpfix/amqpfix/newapi"
	"github.com/amqpfix/amqpfix/newapi/internal/wire"
)

// Why a message left a queue without being consumed, in RabbitMQ's words.
const (
	deadByRejection = "rejected"
	deadByExpiry    = "expired"
	deadByLength    = "maxlen"
)

// deadLetter sends a message that died in q where the queue's arguments say,
// or drops it.
func (q *queue) deadLetter(m *message, reason string) {
	if q.policy.deadLetterExchange == nil {
		return
	}
	x := q.vhost.exchanges[*q.policy.deadLetterExchange]
	if x == nil {
		return
	}
	key := m.routingKey
	if q.policy.deadLetterRoutingKey != nil {
		key = *q.policy.deadLetterRoutingKey
	}
	properties, deaths := q.withDeath(m, reason)
	dead := &message{
		exchange:   x.name,
		routingKey: key,
		properties: properties,
		body:       m.body,
		priority:   m.priority,
	}
	for _, to := range x.route(key, properties) {
		if !cycles(deaths, to.name) {
			to.put(dead)
		}
	}
}

// withDeath adds one death to the x-death header: of the deaths of one queue
// and reason, it keeps one table with their count, the latest first. It
// returns the new properties and the list. The message's own expiration has
// done its work and moves into the table.
func (q *queue) withDeath(m *message, reason string) (properties []byte, deaths []any) {
	list := splitProperties(m.properties)
	fields := list[wire.FlagHeaders]

	death := newapi.Table{
		"count":        int64(1),
		"reason":       reason,
		"queue":        q.name,
		"time":         time.Now(),
		"exchange":     m.exchange,
		"routing-keys": []any{m.routingKey},
	}
	if expiration, ok := list[wire.FlagExpiration]; ok {
		death["original-expiration"] = string(expiration)
		list.clear(wire.FlagExpiration)
	}
	known, _, _ := wire.LookupField(fields, "x-death") // validated when it arrived
	earlier, _ := known.([]any)
	deaths = []any{death}
	for _, e := range earlier {
		d, ok := e.(newapi.Table)
		if !ok {
			continue
		}
		if d["queue"] == q.name && d["reason"] == reason {
			times, _ := integer(d["count"])
			d["count"] = times + 1
			deaths[0] = d
			continue
		}
		deaths = append(deaths, d)
	}

	fields = withoutField(fields, "x-death")
	fields = appendField(fields, "x-death", deaths)
	if _, known, _ := wire.LookupField(fields, "x-first-death-reason"); !known {
		fields = appendField(fields, "x-first-death-reason", reason)
		fields = appendField(fields, "x-first-death-queue", q.name)
		fields = appendField(fields, "x-first-death-exchange", m.exchange)
	}
	list.set(wire.FlagHeaders, fields)
	return list.join(), deaths
}

// appendField appends a field, or leaves it out where a client has put
// something into x-death that can be read but not written.
func appendField(fields []byte, name string, value any) []byte {
	extended, err := wire.AppendField(fields, name, value)
	if err != nil {
		return fields
	}
	return extended
}

// cycles reports whether a message with those deaths, the latest first, has
// been in the queue before and came round again without anybody rejecting it.
// RabbitMQ drops such a message, or it would go round for ever.
func cycles(deaths []any, queue string) bool {
	for _, e := range deaths {
		d, _ := e.(newapi.Table)
		if d["reason"] == deadByRejection {
			return false
		}
		if d["queue"] == queue {
			return true
		}
	}
	return false
}
