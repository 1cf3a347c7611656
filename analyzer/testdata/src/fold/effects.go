package fold

import (
	"strconv"
	"strings"
	"time"

	"github.com/amqpfix/amqpfix/compat"
)

var counter int

func next() string { counter++; return strconv.Itoa(counter) }

type event struct {
	ID, Kind string
	At       time.Time
}

// One argument may have effects if the others are constants or locals.
func oneCall(ch *compat.Channel, kind string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(kind)
	props.SetMessageId(next())
	props.SetAppId("shop")
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// Two calls would keep their order in a literal, but what they read would not.
func twoCalls(ch *compat.Channel, kind string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(kind)
	props.SetMessageId(next())
	props.SetCorrelationId(next())
	props.SetAppId("shop")
	return ch.BasicPublish("", "q", false, props, body) // value // want `fields are assigned`
}

// A package variable may be changed by the call.
func callThenGlobal(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId(next())
	props.SetPriority(uint8(counter))
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// So may what a pointer leads to.
func pointerThenCall(ch *compat.Channel, e *event, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(e.Kind)
	props.SetMessageId(next())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A struct of its own is as good as a local.
func structThenCall(ch *compat.Channel, e event, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(e.Kind)
	props.SetMessageId(next())
	props.SetTimestamp(e.At)
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// Unless somebody has its address.
func addressed(ch *compat.Channel, e event, body []byte) error {
	change(&e)
	props := ch.CreateBasicProperties()
	props.SetType(e.Kind)
	props.SetMessageId(next())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func change(e *event) { e.Kind = next() }

// Or a closure assigns it.
func closed(ch *compat.Channel, kind string, body []byte) error {
	bump := func() string { kind = next(); return kind }
	props := ch.CreateBasicProperties()
	props.SetType(kind)
	props.SetMessageId(bump())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// Reads commute, whatever they read.
func onlyReads(ch *compat.Channel, e *event, ids map[string]string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType(e.Kind)
	props.SetMessageId(ids[e.ID])
	props.SetPriority(uint8(counter))
	props.SetTimestamp(time.Now().UTC())
	props.SetExpiration(strconv.Itoa(len(e.ID)))
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

// A receive is an effect.
func receives(ch *compat.Channel, ids chan string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId(<-ids)
	props.SetCorrelationId(<-ids)
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A conversion of bytes reads what the call may write.
func bytesRead(ch *compat.Channel, id []byte, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId(string(id))
	props.SetCorrelationId(next())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A division may panic before the call.
func divides(ch *compat.Channel, n, m uint8, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetPriority(n / m)
	props.SetCorrelationId(next())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// A function literal is no call until it is called.
func literalCalled(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetMessageId(func() string { return next() }())
	props.SetCorrelationId(next())
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

// The table is one element: an entry would come before what is between it and
// the first one.
func betweenEntries(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.SetTimestamp(time.Now())
	props.Headers()["b"] = next()
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func panicBetweenEntries(ch *compat.Channel, n int, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.SetType(strings.Repeat("x", n))
	props.Headers()["b"] = next()
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func callBetweenEntries(ch *compat.Channel, n int, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.SetType(next())
	props.Headers()["b"] = time.Now()
	return ch.BasicPublish("", "q", false, props, body) // value // want `use`
}

func constantBehindCall(ch *compat.Channel, kind string, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.SetType(next())
	props.Headers()["b"] = kind
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func callBehindConstant(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetTimestamp(time.Now())
	props.Headers()["a"] = 1
	props.SetType("a")
	props.Headers()["b"] = next()
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}

func readsBetweenEntries(ch *compat.Channel, e *event, body []byte) error {
	props := ch.CreateBasicProperties()
	props.Headers()["a"] = 1
	props.SetTimestamp(time.Now())
	props.Headers()["b"] = e.ID
	return ch.BasicPublish("", "q", false, props, body) // fold // want `use`
}
